import { DrizzleQueryError } from 'drizzle-orm'

/** PostgreSQL's error code behind an error, also when Drizzle has wrapped it. */
export function sqlState(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code = (current as { code?: unknown }).code
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  }
  return undefined
}

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

/** The files of the embedded database cannot be read. */
export class DamagedDatabase extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    // PGlite's own message ends with the name of a compiler flag.
    const [first] = reason.replace(/\.? Build with .*/s, '').split('\n')
    super(
      `DATA_DIR/database cannot be opened (${first}): it is damaged, or its disk is full; ` +
        'npm run restore brings back a backup and keeps the damaged folder aside',
      { cause },
    )
    this.name = 'DamagedDatabase'
  }
}

/** Data corrupted, index corrupted, a file missing, an I/O error. */
const damageStates = new Set(['XX001', 'XX002', '58P01', '58030'])

/** Returns a DamagedDatabase for an error that damage explains, otherwise the error itself. */
export function nameDamage(error: unknown): unknown {
  return damageStates.has(sqlState(error) ?? '') ? new DamagedDatabase(innermost(error)) : error
}

/** Drizzle's own message repeats the query. */
function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error
}
