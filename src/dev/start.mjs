import { ensureBuilt, ensureInstalled } from './ensure.mjs'
import { follow } from './follow.mjs'

ensureInstalled()
await ensureBuilt()
// A small young generation: the server's own objects are few, and this halves its resident memory.
process.exitCode = await follow('node', ['--max-semi-space-size=4', 'src/server/main.ts'])
