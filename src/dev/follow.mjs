// Programs that go on until somebody stops them.
import { spawn } from 'node:child_process'
import { environment, root } from './run.mjs'

/**
 * Starts a program and waits for its end. However we are told to stop, it is told so once and may
 * take its time; killed, we take it with us through the channel, which closes. A program that is
 * not ours, such as Vite, gets no channel.
 */
export function follow(command, args, { extra, channel = true, stdio = 'inherit' } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: [stdio, stdio, stdio, ...(channel ? ['ipc'] : [])],
    env: environment(extra),
  })
  const stop = () => child.kill('SIGTERM')
  // The terminal sends Ctrl-C to the whole group; a second signal does no harm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  whenOrphaned(stop)
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(console.error(error.message) ?? 1))
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGTERM' || signal === 'SIGINT' ? 0 : 1)))
  })
  return Object.assign(ended, { child, stop })
}

/** npm cannot tell us that it was killed; that we have another parent now can. */
function whenOrphaned(stop) {
  if (!process.env.npm_lifecycle_event) return
  const npm = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(timer)
    stop()
  }, 250).unref()
}
