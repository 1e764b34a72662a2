// What is quick enough to run before every commit: format, lint, types, import directions, catalogues.
import { ensureInstalled, run } from './ensure.mjs'
import { staticChecks } from './static-checks.mjs'

ensureInstalled()
let failed = 0
for (const { name, command, args } of staticChecks) {
  if (run(command, args) !== 0) {
    console.error(`✗ ${name}`)
    failed += 1
  }
}
if (run('vitest', ['run', '--project', 'unit', 'tests', '--reporter=dot']) !== 0) failed += 1
process.exitCode = failed ? 1 : 0
