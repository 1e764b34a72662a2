import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino'
import { readableLine } from './readable-log.ts'

interface LoggedError {
  type: string
  message: string
  code?: string
  constraint?: string
  stack?: string
  cause?: LoggedError
}

/**
 * An error as it may stand in the log: what failed and where, never the values that people sent.
 * Drizzle repeats a query's parameters in its message, PostgreSQL the offending value in `detail`
 * and, for malformed data (class 22), in the message itself; mail servers repeat addresses.
 */
function loggedError(error: unknown): LoggedError | undefined {
  if (error === undefined) return undefined
  if (!isError(error)) return { type: nameOf(error), message: withoutAddresses(messageOf(error)) }
  const { code, constraint, query } = error as { code?: unknown; constraint?: unknown; query?: unknown }
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  const logged: LoggedError = { type: error.name, message: withoutAddresses(error.message) }
  if (typeof query === 'string') logged.message = `Failed query: ${query}`
  else if (fromDatabase && code.startsWith('22')) logged.message = 'malformed data'
  if (typeof code === 'string') logged.code = code
  if (typeof constraint === 'string') logged.constraint = constraint
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  if (frames?.length) logged.stack = frames.join('\n')
  if (error.cause !== undefined) logged.cause = loggedError(error.cause)
  return logged
}

/** An error in one sentence, for whoever has no use for its stack. */
export function reasonOf(error: unknown): string {
  const { message, cause } = loggedError(error) ?? { message: 'unknown' }
  return (cause ? `${message}: ${cause.message}` : message).slice(0, 300)
}

/** Also one of another realm, as the embedded database and test runners have them. */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
}

const nameOf = (value: unknown) => (value as object | null)?.constructor?.name ?? String(value)

function messageOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { message } = value as { message?: unknown }
  return typeof message === 'string' ? message : `an object with ${Object.keys(value).join(', ') || 'nothing in it'}`
}

const withoutAddresses = (text: string) => text.replace(/[^\s<>"'(]+@[^\s<>"')]+/g, '…@…')

const options = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  serializers: { err: loggedError },
})

/** The program's log on standard output: JSON lines for machines, or lines that people read. */
export function createLog(
  level: string,
  destination: 'json' | 'readable' | { write(line: string): void } = 'json',
): Logger {
  if (typeof destination === 'object') return pino(options(level), destination)
  // Written at once, so that the last words before a crash are not lost.
  const output = pino.destination({ sync: true })
  if (destination === 'json') return pino(options(level), output)
  return pino(options(level), { write: (line: string) => void output.write(readableLine(line)) })
}
