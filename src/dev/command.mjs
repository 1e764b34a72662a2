import { run, serverOptions } from './run.mjs'

process.exitCode = run('node', [...serverOptions, 'src/main/command.ts', ...process.argv.slice(2)])
