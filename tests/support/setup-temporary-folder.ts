import { rmSync } from 'node:fs'
import { makeTemporaryFolder } from '../../src/scripts/temporary.mjs'

/** Also removes the files of failed and killed tests. */
export default function giveTemporaryFolder(): () => void {
  const folder = makeTemporaryFolder()
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
