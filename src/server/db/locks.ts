import { sql } from 'drizzle-orm'
import { appError } from '../http/app-error.ts'
import type { Transaction } from './database.ts'

/**
 * Holds a lock of that name until the transaction ends: for changes of what no row stands for, such
 * as a price whose newest row counts.
 */
export async function advisoryLock(tx: Transaction, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/**
 * Refuses a change of something that has changed since it was read; without a version whoever is
 * last is right.
 */
export function requireSeen(seen: number | undefined, now: number): void {
  if (seen !== undefined && seen !== now) throw appError('change.outdated')
}
