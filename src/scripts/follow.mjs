import { spawn } from 'node:child_process'
import { environment, root } from './run.mjs'

/**
 * Forwards stop signals once and waits. If this process is killed, the closing channel ends the
 * program; foreign programs such as Vite get no channel.
 */
export function follow(command, args, { extra, channel = true, stdio = 'inherit' } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: [stdio, stdio, stdio, ...(channel ? ['ipc'] : [])],
    env: environment(extra),
  })
  const stop = () => child.kill('SIGTERM')
  // Terminals send Ctrl-C to the whole group; a second signal is harmless.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  whenOrphaned(stop)
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(console.error(error.message) ?? 1))
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGTERM' || signal === 'SIGINT' ? 0 : 1)))
  })
  return Object.assign(ended, { child, stop })
}

/** npm cannot report that it was killed, but the parent process changes. */
function whenOrphaned(stop) {
  if (!process.env.npm_lifecycle_event) return
  const npm = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(timer)
    stop()
  }, 250).unref()
}
