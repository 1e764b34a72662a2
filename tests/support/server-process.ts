import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { serverOptions } from '../../src/scripts/run.mjs'

const root = join(import.meta.dirname, '..', '..')

/**
 * Below the system's outgoing ports, so that it stays free for a restart. fetch refuses none of
 * them.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_100, 32_000)
  const server = createServer().listen(port, '127.0.0.1')
  const taken = await once(server, 'listening').then(
    () => false,
    () => true,
  )
  if (taken) return await freePort()
  server.close()
  await once(server, 'close')
  return port
}

export interface ServerProcess {
  url: string
  child: ChildProcess
  stdout(): string
  stderr(): string
  ended: Promise<number | string>
  end(signal?: NodeJS.Signals): Promise<number | string>
}

/** Like `npm start`; resolves when its log says where it runs, or it has ended. */
export async function startServerProcess(
  env: Record<string, string> & { LOG_LEVEL?: never },
  cwd = root,
): Promise<ServerProcess> {
  const port = env.PORT ?? String(await freePort())
  const child = spawn(process.execPath, [...serverOptions, 'src/server-app/main.ts'], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ENGINE_THREADS: '1',
      WELCOMES_PER_DOMAIN: '0',
      ...env,
      PORT: port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Joined on demand: the log of all journeys has megabytes in thousands of pieces.
  const said = { stdout: [] as string[], stderr: [] as string[] }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => said[name].push(chunk))
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', function look() {
      if (!/Emails are (sent|written)/.test(said.stdout.join(''))) return
      child.stdout.off('data', look)
      resolve()
    })
  })
  await Promise.race([ready, ended])
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    stdout: () => said.stdout.join(''),
    stderr: () => said.stderr.join(''),
    ended,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return await ended
    },
  }
}
