// Runs an operator command: npm run admin, backup and restore.
import { run, serverOptions } from './run.mjs'

process.exitCode = run('node', [...serverOptions, 'src/main/command.ts', ...process.argv.slice(2)])
