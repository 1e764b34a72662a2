import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeTemporaryFolder } from '../../src/scripts/temporary.mjs'

/** Also removes the files of failed and killed tests. */
export default function giveTemporaryFolder(project: TestProject): () => void {
  const folder = makeTemporaryFolder()
  const remove = (path: string) => rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  // In watch mode the code has changed since results were remembered (remembered.ts).
  project.onTestsRerun(() => remove(join(folder, 'remembered')))
  return () => remove(folder)
}
