import { sqlState } from './transact.ts'

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
  for (let current = error; current instanceof Error; current = current.cause) {
    if (ofDriver.test(current.message)) return 'database'
    const [first = current] = current instanceof AggregateError ? current.errors : []
    const { code, address, port } = first as { code?: unknown; address?: string; port?: number }
    if (typeof code === 'string' && unreachable.has(code)) return address ? `${address}:${port}` : code
  }
  return undefined
}
