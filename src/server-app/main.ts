import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import { ConfigError } from '#server/config-values.ts'
import { DataDirInUse } from '#server/db/data-dir-lock.ts'
import { DamagedDatabase, nameDamage } from '#server/db/errors.ts'
import { listen } from '#server/http/listen.ts'
import { createLog } from '#server/log.ts'
import { memoryProblem } from '#server/memory.ts'
import { brandName } from '#shared/brand.ts'
import type { Composition } from './compose.ts'
import { readConfig } from './config.ts'

/** For open responses (events, downloads) to end by themselves. */
const drainMilliseconds = 2_000
/** Containers and service managers kill the process later than this. */
const stopMilliseconds = 25_000

/** A plain line on a terminal; a log record for programs. */
function say(log: Logger, line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`${line}\n`)
  else log.info(line)
}

/** Secrets must not appear in the log. */
const printSecret = (line: string) => (process.stdout.isTTY ? process.stdout : process.stderr).write(`${line}\n`)

function exitWithMessage(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function explain(failure: unknown): string {
  const error = process.env.DATABASE_URL ? failure : nameDamage(failure)
  if (error instanceof ConfigError || error instanceof DataDirInUse || error instanceof DamagedDatabase)
    return error.message
  const { code, message } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException
  return `${brandName} cannot start: ${message || code}`
}

async function printBanner(config: Config, { ensureFirstAdmin, deps }: Composition): Promise<void> {
  const { log } = deps
  if (config.role === 'worker') say(log, `${brandName} worker is running; health checks at port ${config.port}`)
  else say(log, `${brandName} is running at ${config.publicUrl.origin}`)
  const small = memoryProblem()
  if (small) log.warn(small)
  const admin = await ensureFirstAdmin()
  if (admin?.password) printSecret(`First admin: ${admin.email}, password ${admin.password} (shown only this once)`)
  else if (admin) say(log, `First admin: ${admin.email}`)
  say(log, config.smtpUrl ? 'Emails are sent by SMTP' : `Emails are written to ${config.dataDir}/outbox`)
  // Mails are kept until the server accepts them, so an unavailable mail server must not stop the
  // start.
  deps.mailer.check?.().catch((error: unknown) => {
    deps.log.error({ err: error }, 'SMTP_URL: the mail server does not accept mail; messages are kept and sent later')
  })
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const deadline = setTimeout(() => server.closeAllConnections(), drainMilliseconds)
  await closed
  clearTimeout(deadline)
}

const program = fileURLToPath(new URL('./prepare-database.ts', import.meta.url))

/**
 * Creates the embedded database in a separate process, since WebAssembly never returns its memory.
 * Errors there recur here when the database is opened.
 */
async function prepareDatabase({ dataDir, databaseUrl, logLevel }: Config): Promise<void> {
  if (databaseUrl || existsSync(join(dataDir, 'database'))) return
  await once(fork(program, [dataDir, logLevel]), 'exit')
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel, process.stdout.isTTY ? 'readable' : 'json')
  // After an unexpected error the state is unknown: the process ends, and the next start recovers.
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'the program failed')
      process.exit(1)
    })
  }
  let server: Server | undefined
  let stopping = false
  const sendLastTraces = config.tracesTo
    ? await (await import('#server/tracing.ts')).startTracing(config.tracesTo, config.role)
    : undefined
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.fatal('stopping took too long; unfinished work is resumed at the next start')
      process.exit(1)
    }, stopMilliseconds).unref()
    try {
      // A composition that is still starting is stopped properly as well.
      const composition = await composing
      if (server) await closeServer(server)
      await composition.stop()
      await sendLastTraces?.()
      process.exit(0)
    } catch (error) {
      log.fatal({ err: error }, 'could not shut down cleanly')
      process.exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop)
  // The parent process was killed (src/scripts/follow.mjs).
  process.on('disconnect', () => process.exit(1))
  // Imported late: a wrong variable is reported at once, and stop signals work meanwhile.
  const composing = prepareDatabase(config)
    .then(() => import('./compose.ts'))
    .then(({ compose }) => compose(config, log))
  const composition = await composing
  if (stopping) return
  const opened = Promise.withResolvers<void>()
  try {
    // The port is held at once; requests wait until all is ready.
    server = await listen(config, log, async (request, env) => {
      await opened.promise
      return composition.app.fetch(request, env)
    })
    server.on('error', (error: Error) => log.error({ err: error }, 'the web server failed'))
  } catch (error) {
    await composition.stop()
    throw error
  }
  // Printed last: an address in use must not lose the password, which is shown once.
  await printBanner(config, composition)
  opened.resolve()
  // Node writes its compile cache at exit, which a killed process never reaches.
  flushCompileCache()
}

start().catch((error: unknown) => exitWithMessage(explain(error)))
