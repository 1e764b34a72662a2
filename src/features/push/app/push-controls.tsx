import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useEffect, useState } from 'react'
import { serverNow } from '#client/device/server-time.ts'
import { isInstalled } from '#features/installed-app/app/installed-app.ts'
import { Switch } from '#tools/ui/controls.tsx'
import { Button } from '#ui/button.tsx'
import { useAction } from '#ui/use-action.ts'
import { type PushTopic, pushTopics } from '../rules.ts'
import { pushSettingsQuery, pushStateQuery, setTopicEnabled, turnOff, turnOn } from './subscription.ts'

/** Milliseconds; shorter waits get no offer. */
const longMs = 6000

function useTakesLong(since: string | undefined): boolean {
  const left = since === undefined ? 0 : Math.max(0, Date.parse(since) + longMs - serverNow())
  const [long, setLong] = useState(left === 0)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), left)
    return () => clearTimeout(timer)
  }, [left])
  return long
}

/**
 * Hidden if this device has push messages on or does not support them. Work that began at `since`
 * gets a chance to finish first.
 */
export function PushOffer({ since, children }: { since?: string; children: string }) {
  const { t } = useLingui()
  const long = useTakesLong(since)
  const { data: state } = useQuery(pushStateQuery)
  const ask = useAction(turnOn)
  if (state === 'on' && ask.isSuccess) {
    return (
      <p role="status" className="flex items-center justify-center gap-2 text-muted text-sm">
        <BellRing aria-hidden className="size-4 shrink-0" />
        {t`Kami kabari di perangkat ini.`}
      </p>
    )
  }
  if (state !== 'off' || !long) return null
  return (
    <Button variant="soft" icon={Bell} busy={ask.isPending} onClick={() => ask.mutate()}>
      {children}
    </Button>
  )
}

const topics = {
  results: msg`Hasil sudah siap`,
  failures: msg`Proses gagal, kredit kembali`,
  payments: msg`Pembayaran masuk`,
  unpaid_orders: msg`Pesanan belum dibayar`,
  designer: msg`Jawaban desainer`,
  credits: msg`Kredit hampir habis atau berakhir`,
} satisfies Record<PushTopic, unknown>

export function PushCard() {
  const { t, i18n } = useLingui()
  const { data: state } = useQuery(pushStateQuery)
  const { data: settings } = useQuery(pushSettingsQuery)
  const device = useAction((on: boolean) => (on ? turnOn() : turnOff()))
  const topic = useAction(({ id, told }: { id: PushTopic; told: boolean }) => setTopicEnabled(id, told))
  const muted = topic.isPending ? withChange(settings?.muted ?? [], topic.variables) : (settings?.muted ?? [])
  const on = device.isPending ? device.variables : state === 'on'
  return (
    <section className="card grid grid-cols-1 content-start gap-5 p-6">
      <h2 className="font-bold text-[min(1.25rem,7vw)]">{t`Notifikasi`}</h2>
      {state === 'impossible' || state === 'refused' ? (
        <p className="text-muted text-sm leading-relaxed">
          {state === 'refused'
            ? t`Notifikasi diblokir untuk situs ini. Izinkan lewat pengaturan peramban atau HP-mu, lalu buka halaman ini lagi.`
            : isInstalled()
              ? t`Perangkat ini tidak bisa menerima notifikasi.`
              : t`Peramban ini tidak bisa menerima notifikasi. Pasang aplikasinya dulu, lalu buka dari layar utama.`}
        </p>
      ) : (
        <Switch
          label={t`Notifikasi di perangkat ini`}
          hint={t`Juga saat aplikasi tertutup. Berhenti begitu kamu keluar.`}
          value={on}
          disabled={state === undefined || device.isPending}
          onChange={(checked) => device.mutate(checked)}
        />
      )}
      {on && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-semibold text-sm">{t`Beri tahu aku tentang`}</legend>
          {pushTopics.map((id) => (
            <Switch
              key={id}
              label={i18n._(topics[id])}
              value={!muted.includes(id)}
              disabled={settings === undefined || topic.isPending}
              onChange={(told) => topic.mutate({ id, told })}
            />
          ))}
        </fieldset>
      )}
    </section>
  )
}

const withChange = (muted: readonly PushTopic[], { id, told }: { id: PushTopic; told: boolean }) =>
  told ? muted.filter((other) => other !== id) : [...muted, id]
