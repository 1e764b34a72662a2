import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../../src/scripts/postgres.mjs'
import { startProxy } from './nginx.ts'
import { startPooler } from './pgbouncer.ts'
import { startS3Double } from './s3-double.ts'
import { freePort, type ServerProcess, startServerProcess } from './server-process.ts'
import { createSmtpServer } from './smtp-server.ts'

/** A web or worker process with its own DATA_DIR. */
export interface Machine {
  role: 'web' | 'worker'
  dataDir: string
  process(): ServerProcess
  kill(signal?: NodeJS.Signals): Promise<void>
  start(): Promise<void>
}

export type Fleet = NonNullable<Awaited<ReturnType<typeof startFleet>>>

/**
 * A large installation: nginx without stickiness, PostgreSQL behind PgBouncer, an S3 double, SMTP.
 * Undefined without PostgreSQL.
 */
export async function startFleet({
  webs = 2,
  workers = 4,
  env = {},
  dataDirs = [],
}: {
  webs?: number
  workers?: number
  env?: Record<string, string>
  dataDirs?: string[]
}) {
  const postgres = await startPostgres()
  if (!postgres) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'rupa-fleet-'))
  const pooler = await startPooler(postgres.url, 40)
  const storage = await startS3Double()
  const mails = await createSmtpServer()
  const ports: number[] = []
  for (let index = 0; index < webs + workers; index += 1) ports.push(await freePort())
  const proxy = await startProxy(ports.slice(0, webs))

  const environment = (role: Machine['role'], port: number | undefined, dataDir: string) => ({
    ROLE: role,
    PORT: String(port),
    DATA_DIR: dataDir,
    PUBLIC_URL: proxy.url,
    TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: postgres.url,
    STORAGE: storage.address.href,
    JWT_SECRET: 'j'.repeat(32),
    FILE_SIGNING_KEY: 'f'.repeat(32),
    MAILBOX_KEY: 'm'.repeat(32),
    SMTP_URL: mails.url,
    PAYMENTS: 'simulator',
    ALLOW_SIMULATOR: '1',
    ...env,
  })
  const machine = (role: Machine['role'], port: number | undefined, dataDir: string): Machine => {
    let process: ServerProcess | undefined
    mkdirSync(dataDir, { recursive: true })
    return {
      role,
      dataDir,
      process() {
        if (!process) throw new Error('it was never started')
        return process
      },
      async kill(signal = 'SIGKILL') {
        await process?.end(signal)
      },
      async start() {
        const env = environment(role, port, dataDir)
        for (let tries = 0; tries < 30; tries += 1) {
          process = await startServerProcess(env)
          if (process.child.exitCode === null) return
          await pause(1000)
        }
        throw new Error(`a ${role} does not start: ${process?.stderr()}`)
      },
    }
  }
  const all = ports.map((port, index) => {
    const role = index < webs ? 'web' : 'worker'
    return machine(role, port, dataDirs[index - webs] ?? join(folder, `${role}-${index}`))
  })
  await all[0]?.start()
  await Promise.all(all.slice(1).map((one) => one.start()))
  return {
    url: proxy.url,
    postgres,
    pooler,
    proxy,
    storage,
    mails,
    webs: all.filter(({ role }) => role === 'web'),
    workers: all.filter(({ role }) => role === 'worker'),
    async stop() {
      await Promise.all(all.map((one) => one.kill()))
      await proxy.stop()
      await pooler.stop()
      await storage.close()
      await mails.close()
      postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
    /** As a server without SMTP does. */
    outboxIn(dataDir: string): () => void {
      const outbox = join(dataDir, 'outbox')
      mkdirSync(outbox, { recursive: true })
      let taken = 0
      const timer = setInterval(() => {
        for (const { to, source } of mails.received.slice(taken)) {
          taken += 1
          writeFileSync(join(outbox, `${String(taken).padStart(6, '0')}-${to[0]}.eml`), source, 'latin1')
        }
      }, 50)
      return () => clearInterval(timer)
    },
  }
}
