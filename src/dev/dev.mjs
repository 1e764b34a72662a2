// The server (restarted at changes) and Vite (reloading the app) in one terminal.
import { ensureInstalled, follow } from './ensure.mjs'

ensureInstalled()
const port = process.env.PORT ?? '3000'
const publicUrl = process.env.PUBLIC_URL ?? 'http://localhost:5173'
await Promise.race([
  follow('node', ['--watch', 'src/server/main.ts'], { PORT: port, PUBLIC_URL: publicUrl }),
  follow('vite', ['--clearScreen', 'false'], { PORT: port }),
])
process.exit()
