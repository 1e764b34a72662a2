import { run, serverOptions } from './run.mjs'

process.exitCode = run('node', [...serverOptions, 'src/server-app/models.ts', ...process.argv.slice(2)])
