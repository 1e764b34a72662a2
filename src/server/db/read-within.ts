import { sql } from 'drizzle-orm'
import type { Database, Transaction } from './database.ts'
import { sqlState } from './sql-state.ts'
import { transact } from './transact.ts'

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
