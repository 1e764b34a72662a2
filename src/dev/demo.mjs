// `npm run demo`: fills an empty database with a year of an invented shop, so that the screens of
// the admin area can be seen full. A database that holds real accounts is refused.
import { ensureInstalled } from './ensure.mjs'
import { run } from './run.mjs'

ensureInstalled()
process.exitCode = run('node', ['src/dev/demo/seed.ts', ...process.argv.slice(2)])
