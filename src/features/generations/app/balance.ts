import { queryOptions } from '@tanstack/react-query'
import { apiJson } from '#app/api.ts'
import type { CreditBalance } from '#features/credits/contract.ts'

export const balanceQuery = queryOptions({
  queryKey: ['credits', 'balance'],
  queryFn: ({ signal }) => apiJson<CreditBalance>('/api/user/myCredit', { signal }),
  meta: { persist: true },
})
