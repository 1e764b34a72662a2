// Runs the server (restarted on changes) and Vite in one terminal.
import { ensureInstalled } from './ensure.mjs'
import { follow } from './follow.mjs'
import { resolveOnce } from './run.mjs'

ensureInstalled()
const port = process.env.PORT ?? '3000'
const publicUrl = process.env.PUBLIC_URL ?? 'http://localhost:5173'
// A graceful stop would take longer than recovering.
const watch = [...resolveOnce, '--watch', '--watch-kill-signal=SIGKILL', '--watch-preserve-output']
const server = follow('node', [...watch, 'src/server-app/main.ts'], { extra: { PORT: port, PUBLIC_URL: publicUrl } })
// Mailed links contain the port, so a different one would be useless.
const vite = follow('vite', ['--clearScreen', 'false', '--strictPort', '--port', new URL(publicUrl).port || '5173'], {
  extra: { PORT: port },
  channel: false,
})
const code = await Promise.race([server, vite])
server.stop()
vite.stop()
await Promise.all([server, vite])
process.exitCode = code
