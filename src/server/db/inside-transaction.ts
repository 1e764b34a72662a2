import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<{ open: boolean }>()

/**
 * Runs a transaction's body so that `refuseInsideTransaction` knows of it, wherever the body calls
 * to.
 */
export async function insideTransaction<Result>(body: () => Promise<Result>): Promise<Result> {
  const transaction = { open: true }
  try {
    return await current.run(transaction, body)
  } finally {
    transaction.open = false
  }
}

/**
 * A query on the outer handle from inside a transaction would wait for the only connection, which
 * waits for the query: on the embedded database for ever, on a busy pool too. So it fails at once,
 * on both databases, and a test sees it.
 */
export function refuseInsideTransaction(): void {
  if (current.getStore()?.open) throw new Error('inside a transaction everything must go through its tx')
}
