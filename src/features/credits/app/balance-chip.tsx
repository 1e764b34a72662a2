import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Link } from 'wouter'
import { formatNumber } from '#client/format.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { balanceQuery, CreditMark } from './credits.tsx'

export function BalanceChip() {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { data } = useQuery({ ...balanceQuery, enabled: signedIn })
  if (!signedIn) return null
  const unlimited = data?.unlimitedUntil != null
  const amount = data ? formatNumber(data.credits) : ''
  return (
    <Link
      to="/billing"
      className="inline-flex h-11 items-center gap-2 rounded-full border border-line bg-base-100 pr-4 pl-2 font-bold tabular-nums transition-colors hover:border-primary"
      aria-label={unlimited ? t`Saldo: kredit tanpa batas` : data ? t`Saldo: ${amount} kredit` : t`Saldo kredit`}
    >
      <CreditMark className="size-7" />
      {data ? (
        <span aria-hidden="true">{unlimited ? '∞' : amount}</span>
      ) : (
        <span aria-hidden="true" className="skeleton h-4 w-7 rounded-full" />
      )}
    </Link>
  )
}
