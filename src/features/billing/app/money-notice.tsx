import { Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { orderStatus } from '../rules.ts'
import type { OrderView } from '../types.ts'
import { useSupportLink } from './support-contact.tsx'

/** Money came that the order could not take: says that it is not lost, and whom to ask. */
export function MoneyNotice({ order: { moneyProblem, status } }: { order: OrderView }) {
  const { t } = useLingui()
  const support = useSupportLink(moneyProblem !== null)
  if (moneyProblem === null) return null
  return (
    <div role="status" className="flex gap-3 rounded-box bg-warning/12 px-5 py-4 leading-relaxed">
      <TriangleAlert aria-hidden className="mt-1 size-5 shrink-0 text-warning" />
      <div>
        <p>
          {moneyProblem === 'paid_again' || status === orderStatus.paid
            ? t`Pesanan ini dibayar lebih dari sekali. Kelebihannya tercatat, dan kami mengurusnya.`
            : t`Uang yang masuk tidak sama dengan total pesanan ini, jadi kreditnya belum masuk. Uangmu tercatat, dan kami memeriksanya.`}
        </p>
        {support && (
          <p className="mt-1">
            <Trans>Ada pertanyaan? Tulis ke {support}</Trans>
          </p>
        )}
      </div>
    </div>
  )
}
