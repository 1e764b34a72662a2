// Each bench prints ratios measured side by side in one run; `npm run bench -- engine` runs one of them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root, run } from './ensure.mjs'

ensureInstalled()
ensureBuilt()
const wanted = process.argv.slice(2)
const benches = readdirSync(join(root, 'tests', 'bench')).filter((name) => name.endsWith('.ts'))
let failed = 0
for (const bench of benches) {
  if (wanted.length > 0 && !wanted.some((word) => bench.startsWith(word))) continue
  console.log(`\n── ${bench.replace('.ts', '')}`)
  if (run('node', [join('tests', 'bench', bench)]) !== 0) failed += 1
}
process.exitCode = failed ? 1 : 0
