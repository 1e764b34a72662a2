import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<{ open: boolean }>()

/** Runs a transaction's body so that `refuseInsideTransaction` detects it in nested calls. */
export async function insideTransaction<Result>(body: () => Promise<Result>): Promise<Result> {
  const transaction = { open: true }
  try {
    return await current.run(transaction, body)
  } finally {
    transaction.open = false
  }
}

/**
 * A query on the outer handle inside a transaction would wait for the only connection, which waits
 * for the query: for ever on the embedded database, and on a busy pool too. It fails at once on
 * both databases, so that tests find it.
 */
export function refuseInsideTransaction(): void {
  if (current.getStore()?.open) throw new Error('inside a transaction, all queries must use its tx')
}
