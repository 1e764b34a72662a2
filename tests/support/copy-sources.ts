import { cpSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
/** Build output, and folders too large to copy. */
const leftOut = ['.git', 'node_modules', 'dist', 'data', 'coverage', 'sheets', 'test-results', 'playwright-report']

/** With the same packages; a test may change files and run commands. */
export function copySources(): string {
  const tree = mkdtempSync(join(tmpdir(), 'rupa-sources-'))
  for (const name of readdirSync(root)) {
    if (!leftOut.includes(name)) cpSync(join(root, name), join(tree, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  return tree
}
