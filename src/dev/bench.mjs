// Each bench prints ratios measured side by side; `npm run bench -- engine` runs one of them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled } from './ensure.mjs'
import { root, run, serverOptions } from './run.mjs'

const benches = readdirSync(join(root, 'tests', 'bench'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replace(/\.ts$/, ''))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((word) => !benches.some((bench) => bench.startsWith(word)))
if (unknown.length > 0) {
  console.error(`There is no bench called ${unknown.join(' or ')}; there are ${benches.join(', ')}.`)
  process.exit(1)
}

ensureInstalled()
await ensureBuilt()
let failed = 0
for (const bench of benches) {
  if (wanted.length > 0 && !wanted.some((word) => bench.startsWith(word))) continue
  console.log(`\n── ${bench}`)
  if (run('node', [...serverOptions, join('tests', 'bench', `${bench}.ts`)]) !== 0) failed += 1
}
process.exitCode = failed ? 1 : 0
