import { DrizzleQueryError } from 'drizzle-orm'
import { sqlState } from './sql-state.ts'

/**
 * SQLSTATEs of a server that is down, restarts, failed over or answers too late: classes 08 and
 * 57P, 53300 (too many connections), 25006 (standby since a failover), 25P03 (idle in transaction)
 * and 57014 (statement cancelled).
 */
const outageStates = /^(08...|57P..|57014|53300|25006|25P03)$/
const unreachable = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ETIMEDOUT', 'EPIPE'],
])
/** Messages of `pg` for lost or refused connections. */
const driverMessages =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/

/** The pool cannot provide a connection. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super('no connection to the database', { cause })
    this.name = 'DatabaseUnreachable'
  }
}

/** The unreachable service: `database`, or the address of a connection that could not be opened. */
export function unreachableService(error: unknown): string | undefined {
  if (outageStates.test(sqlState(error) ?? '')) return 'database'
  // The job queue passes on failures that are no instances of Error.
  for (const current of chainOf(error)) {
    const message = String(current.message ?? '')
    if (driverMessages.test(message)) return 'database'
    const [first = current] = current instanceof AggregateError ? current.errors : []
    const { code, address, port } = first as { code?: unknown; address?: string; port?: number }
    if (typeof code === 'string' && unreachable.has(code)) return address ? `${address}:${port}` : code
    const [, place] = /\bconnect (?:ECONN\w+|ETIMEDOUT) (\S+:\d+)/.exec(message) ?? []
    if (place) return place
  }
  return undefined
}

/**
 * True if the database did not answer. The transaction may be committed nevertheless (its answer
 * was lost): files that it refers to must stay, and a repetition must be harmless.
 */
export function isDatabaseOutage(error: unknown): boolean {
  const outage = unreachableService(error)
  if (outage === undefined || outage === 'database') return outage === 'database'
  return chainOf(error).some((one) => one instanceof DrizzleQueryError || one instanceof DatabaseUnreachable)
}

interface Failure {
  message?: unknown
  cause?: unknown
}

function chainOf(error: unknown): Failure[] {
  const chain: Failure[] = []
  for (let current = error; isObject(current); current = current.cause) chain.push(current)
  return chain
}

const isObject = (value: unknown): value is Failure => typeof value === 'object' && value !== null
