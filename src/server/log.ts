import { type Logger, pino } from 'pino'

interface LoggedError {
  type: string
  message: string
  code?: string
  constraint?: string
  stack?: string
  cause?: LoggedError
}

/**
 * An error as it may stand in the log: what failed and where, never the values that people sent. Drizzle repeats a query's parameters in its
 * message, PostgreSQL the offending value in `detail` and, for malformed data (class 22), in the message itself.
 */
export function loggedError(error: unknown): LoggedError | undefined {
  if (!(error instanceof Error))
    return error === undefined ? undefined : { type: typeof error, message: 'not an Error' }
  const { code, constraint, query } = error as { code?: unknown; constraint?: unknown; query?: unknown }
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  const logged: LoggedError = { type: error.name, message: error.message }
  if (typeof query === 'string') logged.message = `Failed query: ${query}`
  else if (fromDatabase && code.startsWith('22')) logged.message = 'malformed data'
  if (typeof code === 'string') logged.code = code
  if (typeof constraint === 'string') logged.constraint = constraint
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  if (frames?.length) logged.stack = frames.join('\n')
  if (error.cause !== undefined) logged.cause = loggedError(error.cause)
  return logged
}

/** The program's log: JSON lines on standard output. */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const options = { level, base: null, serializers: { err: loggedError } }
  // Written at once, so that the last words before a crash are not lost.
  return destination ? pino(options, destination) : pino(options, pino.destination({ sync: true }))
}
