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

export function CreditMark({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <circle cx="16" cy="16" r="15" fill="#f4b740" />
      <circle cx="16" cy="16" r="11.5" fill="none" stroke="#c98a16" strokeWidth="1.5" />
      <g fill="#9a6408">
        <ellipse cx="12.6" cy="12.6" rx="2.2" ry="4.2" transform="rotate(-45 12.6 12.6)" />
        <ellipse cx="19.4" cy="12.6" rx="2.2" ry="4.2" transform="rotate(45 19.4 12.6)" />
        <ellipse cx="19.4" cy="19.4" rx="2.2" ry="4.2" transform="rotate(-45 19.4 19.4)" />
        <ellipse cx="12.6" cy="19.4" rx="2.2" ry="4.2" transform="rotate(45 12.6 19.4)" />
      </g>
    </svg>
  )
}
