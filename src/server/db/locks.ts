import { sql } from 'drizzle-orm'
import { appError } from '../http/app-error.ts'
import type { Transaction } from './database.ts'

/** Holds a named lock until the transaction ends, for changes without a row to lock. */
export async function advisoryLock(tx: Transaction, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** Rejects a change of an outdated object; without a version the last writer wins. */
export function requireVersion(seen: number | undefined, now: number): void {
  if (seen !== undefined && seen !== now) throw appError('change.outdated')
}
