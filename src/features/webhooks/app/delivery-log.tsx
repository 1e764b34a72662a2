import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { errorText } from '#client/api.ts'
import { formatDateTime } from '#client/format.ts'
import { failureOf } from '#client/query.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { Badge, type Tone } from '#ui/lists/badge.tsx'
import { SkeletonText } from '#ui/skeleton.tsx'
import { useAction } from '#ui/use-action.ts'
import type { DeliveryState } from '../rules.ts'
import type { DeliveryView, WebhookView } from '../schemas.ts'
import { deliveriesQuery, redeliver } from './api.ts'
import { useDeliveryErrors, useEventNames } from './event-names.ts'

const tones = { pending: 'warn', delivered: 'good', failed: 'bad' } satisfies Record<DeliveryState, Tone>

export function DeliveryLog({ webhook }: { webhook: WebhookView }) {
  const { t } = useLingui()
  const list = useInfiniteQuery(deliveriesQuery(webhook.id))
  const items = list.data?.pages.flatMap((page) => page.items)
  const failure = items ? null : failureOf(list)
  return (
    <section aria-label={t`Catatan pengiriman`} className="grid gap-1">
      <h3 className="font-semibold text-sm">{t`Catatan 30 hari terakhir`}</h3>
      {!items && !failure && <SkeletonText lines={3} />}
      {failure && <p className="text-muted text-sm">{errorText(failure)}</p>}
      {items?.length === 0 && <p className="text-muted text-sm">{t`Belum ada yang dikirim.`}</p>}
      <ul className="divide-y divide-line">
        {items?.map((delivery) => (
          <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="soft" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t`Tampilkan lebih banyak`}
        </Button>
      )}
    </section>
  )
}

function DeliveryRow({ webhook, delivery }: { webhook: WebhookView; delivery: DeliveryView }) {
  const { t } = useLingui()
  const names = useEventNames()
  const errors = useDeliveryErrors()
  const again = useAction(() => redeliver(webhook.id, delivery.id), t`Dikirim ulang`)
  const { state, status, error, attempts, nextAttemptAt } = delivery
  const states = { pending: t`Menunggu`, delivered: t`Terkirim`, failed: t`Gagal` }
  const event = names[delivery.event]
  const time = formatDateTime(delivery.createdAt)
  const next = attempts > 0 && nextAttemptAt ? formatDateTime(nextAttemptAt) : null
  const facts = [
    error !== null && errors[error],
    status !== null && t`Jawaban ${status}`,
    attempts > 1 && t`percobaan ke-${attempts}`,
    next && t`dicoba lagi ${next}`,
  ]
  return (
    <li className="flex items-center gap-3 py-2 text-sm">
      <span className="min-w-0 grow">
        <span className="flex flex-wrap items-center gap-x-2 font-medium">
          {event} <Badge tone={tones[state]}>{states[state]}</Badge>
        </span>
        <span className="block text-muted">{time}</span>
        <span className="wrap-anywhere block text-muted">{facts.filter(Boolean).join(' · ')}</span>
      </span>
      <IconButton
        icon={RotateCw}
        label={t`Kirim ulang: ${event}, ${time}`}
        aria-busy={again.isPending}
        disabled={webhook.disabled !== null}
        onClick={() => again.mutate()}
      />
    </li>
  )
}
