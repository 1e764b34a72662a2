import { createServerHome } from '#tests/support/server-home.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'

export interface RunningServer {
  port: number
  origin: string
  dataDir: string
}

/** Can be killed and restarted at the same address with the same data. */
export interface RealServer extends RunningServer {
  stdout(): string
  stderr(): string
  start(): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
  dispose(): Promise<void>
}

export async function realServer({
  port,
  origin,
  env = {},
  root,
}: {
  port?: number
  /** Public address behind a proxy. */
  origin?: string
  env?: Record<string, string>
  /** Sources and build; defaults to this project. */
  root?: string
} = {}): Promise<RealServer> {
  const ownPort = port ?? (await freePort())
  const ownOrigin = origin ?? `http://127.0.0.1:${ownPort}`
  const home = await createServerHome()
  let running: ServerProcess | undefined

  async function stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const server = running
    running = undefined
    await server?.end(signal)
  }

  return {
    port: ownPort,
    origin: ownOrigin,
    dataDir: home.dataDir,
    stdout: () => running?.stdout() ?? '',
    stderr: () => running?.stderr() ?? '',
    async start() {
      if (running) return
      const server = await startServerProcess(
        {
          ...home.env,
          PORT: String(ownPort),
          PUBLIC_URL: ownOrigin,
          // Tests simulate clients by X-Forwarded-For.
          TRUSTED_PROXIES: '127.0.0.1',
          ...env,
        },
        root,
      )
      if (server.child.exitCode !== null) {
        throw new Error(`the server did not start:\n${server.stdout()}${server.stderr()}`)
      }
      running = server
    },
    stop,
    async dispose() {
      await stop()
      await home.drop()
    },
  }
}
