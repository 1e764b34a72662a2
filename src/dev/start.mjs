import { ensureBuilt, ensureInstalled, follow } from './ensure.mjs'

ensureInstalled()
ensureBuilt()
process.exitCode = await follow('node', ['src/server/main.ts'])
