import { ensureBuilt, ensureInstalled, follow } from './ensure.mjs'

ensureInstalled()
ensureBuilt()
// A small young generation: the server's own objects are few, and this halves its resident memory.
process.exitCode = await follow('node', ['--max-semi-space-size=4', 'src/server/main.ts'])
