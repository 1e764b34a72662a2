import type { QueryClient } from '@tanstack/react-query'
import { creditsAtom, store } from '#client/session.ts'
import type { CreditBalance } from '../types.ts'
import { balanceQuery } from './balance.ts'

/**
 * Takes a balance from the server's event stream. It carries no grants, so until these are known
 * the query's own response counts.
 */
export function rememberBalance(client: QueryClient, told: Omit<CreditBalance, 'grants'>): void {
  const known = client.getQueryData(balanceQuery.queryKey)
  if (known && known.updatedAt > told.updatedAt) return
  if (known) client.setQueryData(balanceQuery.queryKey, { ...known, ...told })
  void client.invalidateQueries({ queryKey: balanceQuery.queryKey })
}

/**
 * Keeps the auth state's `credits` the same as the balance, wherever that came from. Returns how to
 * stop.
 */
export function followBalance(client: QueryClient): () => void {
  const take = () => {
    const balance = client.getQueryData(balanceQuery.queryKey)
    if (balance) store.set(creditsAtom, balance.credits)
  }
  take()
  return client.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryKey[0] === 'credits' && query.queryKey[1] === 'balance') take()
  })
}
