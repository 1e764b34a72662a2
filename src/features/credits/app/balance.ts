import { hashKey } from '@tanstack/react-query'
import { apiQuery, queryClient } from '#client/query.ts'
import type { CreditBalance } from '../schemas.ts'

export const balanceQuery = apiQuery<CreditBalance>(['credits', 'balance'], '/api/user/myCredit', {
  meta: { persist: true },
})

export function followCredits(listener: (credits: number) => void): void {
  let known: number | undefined
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryHash !== hashKey(balanceQuery.queryKey)) return
    const credits = queryClient.getQueryData(balanceQuery.queryKey)?.credits
    if (credits !== undefined && credits !== known) listener(credits)
    known = credits
  })
}
