import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { serverNow } from '#client/device/server-time.ts'
import { formatNumber } from '#client/format.ts'
import { balanceQuery } from '#features/credits/app/credits.tsx'
import { creditNotice } from '#features/credits/rules.ts'
import { findToolPage } from '#tools/pages.ts'
import { toolsQuery } from '#tools/ui/tools-query.ts'
import { IconButton } from '#ui/button.tsx'
import type { GenerationView } from '../../schemas.ts'
import { TopUpSheet } from '../contributed-parts.tsx'
import { historyQuery } from '../queries.ts'

/** Hidden unless credits run low or are too few for another generation like the last one. */
export function LowCredits({ last: given }: { last?: GenerationView }) {
  const { t, i18n } = useLingui()
  const { data: balance } = useQuery(balanceQuery)
  const { data: tools } = useQuery(toolsQuery)
  const { data: history } = useInfiniteQuery({ ...historyQuery(), enabled: given === undefined })
  const [adding, setAdding] = useState(false)
  const [hidden, setHidden] = useState(false)
  const last = given ?? history?.pages[0]?.items[0]
  const page = last && findToolPage(last.tool)
  // Under an unlimited package the last one was free.
  const unit = tools?.items.find(({ id }) => id === last?.tool)?.credits ?? page?.definition.defaultUnitPrice
  const price = last && unit !== undefined ? last.credits || unit : null
  const notice = balance && creditNotice(balance, price, serverNow())
  if (!balance || !notice || hidden) return null
  const credits = formatNumber(balance.credits)
  const all = formatNumber(balance.given)
  const needed = formatNumber(price ?? 0)
  const tool = page ? i18n._(page.definition.label) : ''
  const close = () => setAdding(false)
  return (
    <div className="flex items-center gap-1 rounded-field bg-warning/12 pl-4 text-sm leading-snug">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <p role="status" className="min-w-[min(9rem,100%)] flex-1 py-2">
          {notice === 'low'
            ? t`Kreditmu tinggal ${credits} dari ${all}.`
            : given
              ? t`Hasil lain butuh ${needed} kredit, saldomu ${credits}.`
              : t`Saldo ${credits} kredit belum cukup untuk ${tool} lagi (${needed} kredit).`}
          {/* Stands above the options of the result. */}
          {given && page && page.definition.renderParams.length > 0 && ` ${t`Ubah yang ini gratis.`}`}
        </p>
        <button
          type="button"
          className="btn btn-ghost px-0 underline underline-offset-4"
          onClick={() => setAdding(true)}
        >
          {t`Tambah kredit`}
        </button>
      </div>
      <IconButton icon={X} label={t`Tutup`} onClick={() => setHidden(true)} />
      {adding && <TopUpSheet missing={Math.max(0, (price ?? 0) - balance.credits)} onClose={close} onPaid={close} />}
    </div>
  )
}
