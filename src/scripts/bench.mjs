// Each bench prints ratios measured side by side; `npm run bench -- engine` runs one of them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled } from './ensure.mjs'
import { root, runVerbose, serverOptions } from './run.mjs'
import { enterTemporaryFolder } from './temporary.mjs'

const benches = readdirSync(join(root, 'tests', 'bench'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replace(/\.ts$/, ''))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((word) => !benches.some((bench) => bench.startsWith(word)))
if (unknown.length > 0) {
  console.error(`There is no bench called ${unknown.join(' or ')}; there are ${benches.join(', ')}.`)
  process.exit(1)
}

const { signal } = enterTemporaryFolder()
ensureInstalled()
await ensureBuilt()
for (const bench of benches) {
  if (signal.aborted) break
  if (wanted.length > 0 && !wanted.some((word) => bench.startsWith(word))) continue
  console.log(`\n── ${bench}`)
  const { code } = await runVerbose('node', [...serverOptions, join('tests', 'bench', `${bench}.ts`)], { signal })
  process.exitCode ||= code
}
