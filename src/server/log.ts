import { styleText } from 'node:util'
import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino'
import { unreachableService } from './db/errors.ts'

const colours = { fatal: 'red', error: 'red', warn: 'yellow', info: 'green', debug: 'blue', trace: 'gray' } as const

interface Entry {
  level: keyof typeof colours
  time: string
  msg?: string
  err?: { message: string; stack?: string; cause?: Entry['err'] }
  [field: string]: unknown
}

/**
 * A line of the JSON log in a readable form for terminals: time, level, message, its fields, and an
 * error below.
 */
export function readableLine(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Entry
  const clock = new Date(time).toTimeString().slice(0, 8)
  const known = Object.entries(fields).map(([name, value]) => `${name}=${written(value)}`)
  const head = [
    styleText('gray', clock),
    styleText(colours[level] ?? 'white', level.toUpperCase().padEnd(5)),
    msg,
    styleText('gray', known.join(' ')),
  ]
  return `${head.join(' ').trimEnd()}\n${err ? errorLines(err) : ''}`
}

const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function errorLines({ message, stack, cause }: NonNullable<Entry['err']>): string {
  const lines = [
    `         ${message}`,
    ...(stack ? [styleText('gray', stack.replace(/^\s+at /gm, '           at '))] : []),
  ]
  return `${lines.join('\n')}\n${cause ? errorLines(cause) : ''}`
}

interface LoggedError {
  type: string
  message: string
  code?: string
  constraint?: string
  stack?: string
  cause?: LoggedError
}

/**
 * Never logs user input: Drizzle repeats parameters in its message, PostgreSQL offending values in
 * `detail` and, for class 22, in the message; mail servers repeat addresses.
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

export function reasonOf(error: unknown): string {
  const { message, cause } = loggedError(error) ?? { message: 'unknown' }
  return (cause ? `${message}: ${cause.message}` : message).slice(0, 300)
}

/** Errors of another realm (embedded database, test runners) are no instances. */
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

const outagePause = 60_000

/** Counts the omitted lines. */
function outageOnceAMinute(): LoggerOptions['hooks'] {
  const logged = new Map<string, { at: number; leftOut: number }>()
  return {
    logMethod(args, method) {
      const [fields, ...rest] = args as unknown as [{ err?: unknown } | string, ...unknown[]]
      const outage = typeof fields === 'object' && unreachableService(fields.err)
      if (!outage) return method.apply(this, args)
      const last = logged.get(outage)
      if (last && performance.now() - last.at < outagePause) {
        last.leftOut += 1
        return
      }
      logged.set(outage, { at: performance.now(), leftOut: 0 })
      const leftOut = last?.leftOut ? { leftOut: last.leftOut } : {}
      method.apply(this, [{ ...fields, ...leftOut }, ...rest] as unknown as typeof args)
    },
  }
}

const options = (level: string): LoggerOptions => ({
  level,
  hooks: outageOnceAMinute() as NonNullable<LoggerOptions['hooks']>,
  base: null,
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  serializers: { err: loggedError },
})

/** The log on standard output: JSON lines, or readable lines on a terminal. */
export function createLog(
  level: string,
  destination: 'json' | 'readable' | { write(line: string): void } = 'json',
): Logger {
  if (typeof destination === 'object') return pino(options(level), destination)
  // Synchronous, so that a crash loses no lines.
  const output = pino.destination({ sync: true })
  // The server continues when the reader of a pipe goes away.
  output.on('error', () => {})
  if (destination === 'json') return pino(options(level), output)
  return pino(options(level), { write: (line: string) => void output.write(readableLine(line)) })
}
