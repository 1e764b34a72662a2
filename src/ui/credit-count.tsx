import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '#client/format.ts'

/** Such as "1.500 kredit". A plural would format its number by Intl, whose first one is slow. */
export function CreditCount({ count }: { count: number }) {
  const { t } = useLingui()
  const shown = formatNumber(count)
  return count === 1 ? t`1 kredit` : t`${shown} kredit`
}
