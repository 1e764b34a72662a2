import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<{ open: boolean }>()

export async function insideTransaction<Result>(body: () => Promise<Result>): Promise<Result> {
  const transaction = { open: true }
  try {
    return await current.run(transaction, body)
  } finally {
    transaction.open = false
  }
}

/**
 * Queries on the outer handle inside a transaction could wait for ever for its only connection.
 * Such queries fail at once on both databases, so that tests find them.
 */
export function refuseInsideTransaction(): void {
  if (current.getStore()?.open) throw new Error('inside a transaction, all queries must use its tx')
}
