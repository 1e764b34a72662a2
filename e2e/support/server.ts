import { createServerHome } from '#tests/support/server-home.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'

/** A server that is running: where it is, and where its mails are. */
export interface RunningServer {
  port: number
  origin: string
  dataDir: string
}

/**
 * The real server with its own data, which can be killed and started again at the same address with
 * the same data.
 */
export interface RealServer extends RunningServer {
  /** What the running server has printed. */
  stdout(): string
  stderr(): string
  start(): Promise<void>
  /** The process is gone when this resolves; by default it is killed. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Stops it and removes its data. */
  dispose(): Promise<void>
}

export async function realServer({
  port,
  origin,
  env = {},
  root,
}: {
  port?: number
  /** Where people see it, when something stands in between. */
  origin?: string
  env?: Record<string, string>
  /** Where the program's sources and its build are, when not here. */
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
          // Tests say where people come from who are many.
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
