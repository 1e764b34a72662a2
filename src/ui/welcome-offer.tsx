import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { siteQuery } from '#client/query.ts'
import { CreditCount } from './credit-count.tsx'

/** Free credits of a new account: undefined until loaded, 0 for none. */
export const useWelcomeCredits = (): number | undefined => useQuery(siteQuery).data?.welcomeCredits

export function WelcomeOffer() {
  const count = useWelcomeCredits()
  if (count === 0) return null
  return count === undefined ? (
    <Trans>Akun baru dapat kredit gratis.</Trans>
  ) : (
    <Trans>
      Akun baru dapat <CreditCount count={count} /> gratis.
    </Trans>
  )
}
