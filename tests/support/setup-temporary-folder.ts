import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FullConfig } from '@playwright/test'
import type { TestProject } from 'vitest/node'
import { makeTemporaryFolder } from '../../src/scripts/temporary.mjs'

/** Also removes the files of failed and killed tests. Playwright passes its configuration. */
export default function giveTemporaryFolder(project: TestProject | FullConfig): () => void {
  const folder = makeTemporaryFolder()
  const remove = (path: string) => rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  // In watch mode the code has changed since results were remembered (remembered.ts).
  if ('onTestsRerun' in project) project.onTestsRerun(() => remove(join(folder, 'remembered')))
  return () => remove(folder)
}
