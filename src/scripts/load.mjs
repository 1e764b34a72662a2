// Many users at a fleet of two web servers and two workers: `npm run load -- --people 500 --minutes
// 5`.
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled } from './ensure.mjs'
import { run, serverOptions } from './run.mjs'

ensureInstalled()
await ensureBuilt()
process.exitCode = run('node', [...serverOptions, join('tests', 'bench', 'load', 'load.ts'), ...process.argv.slice(2)])
