// `npm run demo`: fills an empty database with a year of an invented shop; refuses a database with
// real accounts.
import { ensureInstalled } from './ensure.mjs'
import { run } from './run.mjs'

ensureInstalled()
process.exitCode = run('node', ['src/scripts/demo/seed.ts', ...process.argv.slice(2)])
