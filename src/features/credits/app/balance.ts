import { hashKey } from '@tanstack/react-query'
import { apiQuery, queryClient } from '#client/query.ts'
import type { CreditBalance } from '../types.ts'

/** What the person owns, and until when; shown by the credits and the tools. */
export const balanceQuery = apiQuery<CreditBalance>(['credits', 'balance'], '/api/user/myCredit', {
  meta: { persist: true },
})

/** Calls with the number of credits whenever the balance query has another one. */
export function followCredits(listener: (credits: number) => void): void {
  let known: number | undefined
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryHash !== hashKey(balanceQuery.queryKey)) return
    const credits = queryClient.getQueryData(balanceQuery.queryKey)?.credits
    if (credits !== undefined && credits !== known) listener(credits)
    known = credits
  })
}
