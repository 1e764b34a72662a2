import { ensureBuilt, ensureInstalled } from './ensure.mjs'
import { follow } from './follow.mjs'
import { serverOptions } from './run.mjs'

ensureInstalled()
await ensureBuilt()
process.exitCode = await follow('node', [...serverOptions, 'src/server-app/main.ts'])
