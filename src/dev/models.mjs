import { run, serverOptions } from './run.mjs'

process.exitCode = run('node', [...serverOptions, 'src/main/models.ts', ...process.argv.slice(2)])
