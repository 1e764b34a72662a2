import { sqlState } from './sql-state.ts'

/** Connections refused, cut or not to be had: PostgreSQL classes 08 and 57P, and 53300. */
const away = /^(08...|57P..|53300)$/
const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE'])
const ofDriver = /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout)/

/**
 * What does not answer, when that is why something failed: `database`, or the address of a
 * connection that was not to be had.
 */
export function outageOf(error: unknown): string | undefined {
  if (away.test(sqlState(error) ?? '')) return 'database'
  // The job queue hands out failures that are no instances of Error.
  for (let current = error; isObject(current); current = current.cause) {
    const message = String(current.message ?? '')
    if (ofDriver.test(message)) return 'database'
    const [first = current] = current instanceof AggregateError ? current.errors : []
    const { code, address, port } = first as { code?: unknown; address?: string; port?: number }
    if (typeof code === 'string' && unreachable.has(code)) return address ? `${address}:${port}` : code
    const [, place] = /\bconnect (?:ECONN\w+|ETIMEDOUT) (\S+:\d+)/.exec(message) ?? []
    if (place) return place
  }
  return undefined
}

const isObject = (value: unknown): value is { message?: unknown; cause?: unknown } =>
  typeof value === 'object' && value !== null
