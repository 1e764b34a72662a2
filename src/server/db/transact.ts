import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { appError } from '../http/app-error.ts'
import type { Database, Transaction } from './database.ts'
import { sqlState } from './errors.ts'
import { insideTransaction } from './inside-transaction.ts'

const attempts = 6

/** Conflicts between transactions: serialization_failure, deadlock_detected, lock_not_available. */
const transient = new Set(['40001', '40P01', '55P03'])

/**
 * Repeats the body a bounded number of times after conflicts. It must be repeatable: effects
 * outside the database belong after the commit.
 */
export async function transact<Result>(db: Database, body: (tx: Transaction) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction((tx) => insideTransaction(() => body(tx)))
    } catch (error) {
      if (attempt === attempts || !transient.has(sqlState(error) ?? '')) throw error
      await pause(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/** With a name, only for that constraint or index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false
  if (constraint === undefined) return true
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if ((current as { constraint?: string }).constraint === constraint) return true
  }
  return false
}

const queryCanceled = '57014'

/** Milliseconds; after that a list is shown without its totals. */
export const totalsMilliseconds = 2000

export async function readWithTimeLimit<Result>(
  db: Database,
  milliseconds: number,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result | null> {
  try {
    return await transact(db, async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`)
      return await read(tx)
    })
  } catch (error) {
    if (sqlState(error) === queryCanceled) return null
    throw error
  }
}

/** Holds a named lock until the transaction ends, for changes without a row to lock. */
export async function advisoryLock(tx: Transaction, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** Rejects a change of an outdated object; without a version the last writer wins. */
export function requireVersion(seen: number | undefined, now: number): void {
  if (seen !== undefined && seen !== now) throw appError('change.outdated')
}
