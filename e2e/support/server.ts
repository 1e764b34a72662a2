import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTemplateDatabase } from '#tests/support/template-database.ts'

const root = join(import.meta.dirname, '..', '..')
const patience = 60_000

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The real server with its own data, which can be killed and started again at the same address with the same data. */
export interface RealServer {
  port: number
  origin: string
  dataDir: string
  start(): Promise<void>
  /** The process is gone when this resolves; by default without a chance to say goodbye. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Stops it and removes its data. */
  dispose(): Promise<void>
}

export async function realServer({
  port,
  origin,
  env = {},
}: {
  port?: number
  /** Where people see it, when something stands in between. */
  origin?: string
  env?: Record<string, string>
} = {}): Promise<RealServer> {
  const ownPort = port ?? (await freePort())
  const ownOrigin = `http://127.0.0.1:${ownPort}`
  const dataDir = await mkdtemp(join(tmpdir(), 'rupa-e2e-'))
  await copyTemplateDatabase(dataDir)
  let running: ChildProcess | undefined
  let output = ''

  async function start(): Promise<void> {
    if (running) return
    output = ''
    const child = spawn(join(root, 'node_modules', '.bin', 'node'), ['src/server/main.ts'], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(ownPort),
        HOST: '127.0.0.1',
        PUBLIC_URL: origin ?? ownOrigin,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        ENGINE_THREADS: '1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running = child
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-8000)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const deadline = Date.now() + patience
    while (child.exitCode === null && Date.now() < deadline) {
      const answer = await fetch(`${ownOrigin}/readyz`).catch(() => undefined)
      if (answer?.ok) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await stop()
    throw new Error(`the server did not start:\n${output}`)
  }

  async function stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = running
    running = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  return {
    port: ownPort,
    origin: origin ?? ownOrigin,
    dataDir,
    start,
    stop,
    async dispose() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
