import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '#client/api.ts'
import { formatDateTime } from '#client/format.ts'
import { failureOf } from '#client/query.ts'
import { ReauthenticationForm } from '#features/account/app/account.ts'
import { Switch } from '#tools/ui/controls.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { Badge, type Tone } from '#ui/lists/cells.tsx'
import { SkeletonText } from '#ui/skeleton.tsx'
import { copyText, useAction } from '#ui/use-action.ts'
import { type DeliveredEvent, type DeliveryError, type DeliveryState, webhookEvents } from '../rules.ts'
import type { DeliveryView, WebhookChange, WebhookView } from '../schemas.ts'
import { changeWebhook, deleteWebhook, deliveriesQuery, pingWebhook, redeliver, rotateSecret } from './api.ts'

export function ShownSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useLingui()
  const messages = { done: t`Kunci disalin`, failed: t`Tidak bisa menyalin. Tandai kuncinya, lalu salin sendiri.` }
  return (
    <div className="grid gap-5">
      <p className="text-muted leading-relaxed">
        {t`Dengan kunci ini servermu memeriksa bahwa kabarnya benar dari kami. Simpan sekarang; kunci ini tidak ditampilkan lagi.`}
      </p>
      <code className="wrap-anywhere select-all rounded-box bg-soft px-5 py-4 text-on-soft text-sm">{secret}</code>
      <Button variant="outline" onClick={() => void copyText(secret, messages)}>
        {t`Salin kunci`}
      </Button>
      <Button size="lg" onClick={onDone}>
        {t`Sudah kusimpan`}
      </Button>
    </div>
  )
}

export function useEventNames(): Record<DeliveredEvent, string> {
  const { t } = useLingui()
  return {
    'generation.succeeded': t`Hasil selesai`,
    'generation.failed': t`Proses gagal`,
    'generation.cancelled': t`Proses dibatalkan`,
    'webhook.ping': t`Pesan uji`,
  }
}

function useDeliveryErrors(): Record<DeliveryError, string> {
  const { t } = useLingui()
  return {
    url_invalid: t`alamatnya tidak sah`,
    port_forbidden: t`port ini tidak diizinkan`,
    address_forbidden: t`alamatnya menuju jaringan pribadi, jadi tidak kami hubungi`,
    redirect_refused: t`dialihkan ke alamat lain`,
    too_large: t`jawabannya terlalu besar`,
    timeout: t`tidak menjawab dalam 15 detik`,
    unreachable: t`tidak bisa dihubungi`,
    endpoint_disabled: t`webhook sedang nonaktif`,
    subject_gone: t`datanya sudah dihapus`,
    given_up: t`semua percobaan sudah habis`,
  }
}

const tones = { pending: 'warn', delivered: 'good', failed: 'bad' } satisfies Record<DeliveryState, Tone>

function DeliveryLog({ webhook }: { webhook: WebhookView }) {
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

type Step = { name: 'overview' | 'rotate' | 'remove' } | { name: 'secret'; secret: string }

export function WebhookSheet({ webhook, onClose }: { webhook: WebhookView; onClose: () => void }) {
  const { t } = useLingui()
  const [step, setStep] = useState<Step>({ name: 'overview' })
  const remove = useAction(async () => {
    await deleteWebhook(webhook.id)
    onClose()
  }, t`Webhook dihapus`)
  const back = () => setStep({ name: 'overview' })
  if (step.name === 'secret') return <ShownSecret secret={step.secret} onDone={back} />
  if (step.name === 'rotate') {
    return (
      <ReauthenticationForm
        action={t`Ganti kunci`}
        factor="unless-shown"
        send={async (credential) => setStep({ name: 'secret', secret: await rotateSecret(webhook.id, credential) })}
      >
        {t`Kunci yang lama masih ikut dipakai selama 24 jam, jadi kamu punya waktu menggantinya di servermu.`}
      </ReauthenticationForm>
    )
  }
  if (step.name === 'remove') {
    return (
      <div className="grid gap-5">
        <p className="text-muted leading-relaxed">{t`Alamat ini tidak dikabari lagi, dan catatannya ikut terhapus.`}</p>
        <Button size="lg" variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {t`Hapus webhook`}
        </Button>
        <Button size="lg" variant="ghost" onClick={back}>
          {t`Batal`}
        </Button>
      </div>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <Settings webhook={webhook} />
      <div className="flex flex-wrap gap-3">
        <TestButton webhook={webhook} />
        <Button variant="outline" onClick={() => setStep({ name: 'rotate' })}>
          {t`Ganti kunci`}
        </Button>
        <Button variant="outline" className="text-error" onClick={() => setStep({ name: 'remove' })}>
          {t`Hapus`}
        </Button>
      </div>
      <DeliveryLog webhook={webhook} />
    </div>
  )
}

function TestButton({ webhook }: { webhook: WebhookView }) {
  const { t } = useLingui()
  const ping = useAction(() => pingWebhook(webhook.id), t`Pesan uji dikirim`)
  return (
    <Button variant="outline" busy={ping.isPending} disabled={webhook.disabled !== null} onClick={() => ping.mutate()}>
      {t`Kirim uji coba`}
    </Button>
  )
}

function Settings({ webhook }: { webhook: WebhookView }) {
  const { t } = useLingui()
  const names = useEventNames()
  const change = useAction((next: WebhookChange) => changeWebhook(webhook.id, next))
  const { events, disabled } = { ...webhook, ...(change.isPending && change.variables) }
  const enabled = (change.isPending ? change.variables.enabled : undefined) ?? disabled === null
  const until = webhook.previousSecretUntil && formatDateTime(webhook.previousSecretUntil)
  return (
    <div className="grid gap-1">
      <p className="wrap-anywhere mb-2 text-muted text-sm">{webhook.url}</p>
      <Switch
        label={t`Aktif`}
        hint={
          disabled === 'gone'
            ? t`Nonaktif karena servermu menjawab 410, artinya alamat ini sudah tidak ada.`
            : t`Selagi nonaktif, tidak ada yang dikirim.`
        }
        value={enabled}
        disabled={change.isPending}
        onChange={(checked) => change.mutate({ enabled: checked })}
      />
      {webhookEvents.map((event) => (
        <Switch
          key={event}
          label={names[event]}
          value={events.includes(event)}
          disabled={change.isPending || (events.length === 1 && events.includes(event))}
          onChange={(checked) =>
            change.mutate({ events: webhookEvents.filter((one) => (one === event ? checked : events.includes(one))) })
          }
        />
      ))}
      {until && <p className="mt-2 text-muted text-sm">{t`Kunci yang lama ikut dipakai sampai ${until}.`}</p>}
    </div>
  )
}
