import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Gives a run of tests a temporary folder of its own, for what is left behind by a test that fails
 * or is killed goes with it.
 */
export default function giveTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-run-'))
  // PostgreSQL passes through, which does not run as root.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
