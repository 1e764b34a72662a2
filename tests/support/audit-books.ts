import { credits } from '#features/credits/server/credits.ts'
import { generations } from '#features/generations/server/generations.ts'
import { users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'

/** From the first ledger entry on. */
export async function findLedgerProblems(executor: Executor) {
  const accounts = (await executor.select({ id: users.id }).from(users)).map(({ id }) => id)
  return [
    ...(await credits.auditAccounts(executor, accounts, { fromFirstEntry: true, now: new Date() })),
    ...(await generations.auditGenerations(executor, accounts, { afterEntry: 0 })),
  ]
}
