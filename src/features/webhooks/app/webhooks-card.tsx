import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#client/api.ts'
import { ReauthenticationForm } from '#features/account/app/account.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { CheckboxField, TextField } from '#ui/field.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { maxWebhooks, type WebhookEvent, webhookDescriptionMax, webhookEvents, webhookUrlMax } from '../rules.ts'
import type { WebhookView } from '../schemas.ts'
import { createWebhook, webhooksQuery } from './api.ts'
import { ShownSecret, useEventNames, WebhookSheet } from './webhook-sheet.tsx'

export function WebhooksCard() {
  const { t } = useLingui()
  const query = useQuery(webhooksQuery)
  const [isAdding, setAdding] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const open = query.data?.items.find(({ id }) => id === openId)
  const close = () => setOpenId(null)
  return (
    <section className="card grid grid-cols-1 content-start gap-5 p-6">
      <h2 className="font-bold text-[min(1.25rem,7vw)]">Webhook</h2>
      <p className="text-muted text-sm leading-relaxed">
        {t`Untuk pengembang: begitu sebuah proses berakhir, kami kabari alamat di servermu.`}
      </p>
      <Loaded query={query} height="h-14">
        {({ items }) => (
          <>
            {items.length > 0 && (
              <ul className="divide-y divide-line">
                {items.map((webhook) => (
                  <WebhookRow key={webhook.id} webhook={webhook} onOpen={() => setOpenId(webhook.id)} />
                ))}
              </ul>
            )}
            {items.length < maxWebhooks && (
              <Button variant="outline" onClick={() => setAdding(true)}>{t`Tambah webhook`}</Button>
            )}
          </>
        )}
      </Loaded>
      <BottomSheet open={isAdding} onClose={() => setAdding(false)} title={t`Webhook baru`}>
        <NewWebhook onDone={() => setAdding(false)} />
      </BottomSheet>
      <BottomSheet open={open !== undefined} onClose={close} title={open && nameOf(open)}>
        {open && <WebhookSheet webhook={open} onClose={close} />}
      </BottomSheet>
    </section>
  )
}

const nameOf = ({ description, url }: WebhookView) => description || new URL(url).host

function WebhookRow({ webhook, onOpen }: { webhook: WebhookView; onOpen: () => void }) {
  const { t } = useLingui()
  const name = nameOf(webhook)
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5">
      <span className="min-w-0 grow basis-40 text-sm">
        <span className="wrap-anywhere flex flex-wrap items-center gap-x-2 font-semibold">
          {name}
          {webhook.disabled === null ? <Badge tone="good">{t`Aktif`}</Badge> : <Badge tone="warn">{t`Nonaktif`}</Badge>}
        </span>
        <span className="wrap-anywhere block text-muted">{webhook.url}</span>
      </span>
      <Button variant="outline" aria-label={t`Kelola ${name}`} onClick={onOpen}>{t`Kelola`}</Button>
    </li>
  )
}

function NewWebhook({ onDone }: { onDone: () => void }) {
  const { t } = useLingui()
  const names = useEventNames()
  const [url, setUrl] = useState('https://')
  const [urlProblem, setUrlProblem] = useState<string>()
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhookEvents)
  const [secret, setSecret] = useState<string | null>(null)
  if (secret) return <ShownSecret secret={secret} onDone={onDone} />
  return (
    <ReauthenticationForm
      action={t`Tambah webhook`}
      factor="unless-shown"
      send={async (credential) => {
        setUrlProblem(undefined)
        try {
          setSecret((await createWebhook(credential, { url: url.trim(), description, events })).secret)
        } catch (error) {
          if (!(error instanceof ApiError && error.code === 'webhook.address_forbidden')) throw error
          setUrlProblem(error.msg)
        }
      }}
      fields={
        <>
          <TextField
            label={t`Alamat`}
            hint={t`Alamat https di servermu. Tidak bisa diganti nanti.`}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={webhookUrlMax}
            value={url}
            error={urlProblem}
            onChange={({ target }) => setUrl(target.value)}
          />
          <TextField
            label={t`Keterangan`}
            hint={t`Boleh kosong.`}
            maxLength={webhookDescriptionMax}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
          <fieldset>
            <legend className="mb-1 font-semibold text-sm">{t`Kabari saat`}</legend>
            {webhookEvents.map((event) => (
              <CheckboxField
                key={event}
                label={names[event]}
                checked={events.includes(event)}
                // The last one stays: an endpoint without events would get nothing.
                disabled={events.length === 1 && events.includes(event)}
                onChange={({ target }) =>
                  setEvents(webhookEvents.filter((one) => (one === event ? target.checked : events.includes(one))))
                }
              />
            ))}
          </fieldset>
        </>
      }
    >
      {t`Konfirmasi bahwa ini kamu.`}
    </ReauthenticationForm>
  )
}
