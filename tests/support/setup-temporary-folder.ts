import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Also removes the files of failed and killed tests. */
export default function giveTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-run-'))
  // PostgreSQL does not run as root.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
