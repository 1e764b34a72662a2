import { queryOptions } from '@tanstack/react-query'
import { apiJson } from '#client/api.ts'
import type { CreditBalance } from '../types.ts'

/** What the person owns, and until when; shown by the credits and the tools. */
export const balanceQuery = queryOptions({
  queryKey: ['credits', 'balance'],
  queryFn: ({ signal }) => apiJson<CreditBalance>('/api/user/myCredit', { signal }),
  meta: { persist: true },
})
