import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Transaction } from './database.ts'
import { insideTransaction } from './inside-transaction.ts'
import { sqlState } from './sql-state.ts'

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
