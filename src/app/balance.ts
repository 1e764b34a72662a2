import { queryOptions } from '@tanstack/react-query'
import type { CreditBalance } from '#features/credits/contract.ts'
import { apiJson } from './api.ts'

/** What the person owns, and until when; shown by the credits and the tools. */
export const balanceQuery = queryOptions({
  queryKey: ['credits', 'balance'],
  queryFn: ({ signal }) => apiJson<CreditBalance>('/api/user/myCredit', { signal }),
  meta: { persist: true },
})
