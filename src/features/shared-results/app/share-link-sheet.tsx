import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { serverNow } from '#client/device/server-time.ts'
import { formatDate } from '#client/format.ts'
import { dayMs } from '#shared/time.ts'
import { Switch } from '#tools/ui/controls.tsx'
import { Button, ButtonMark, buttonClass } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { Form, useForm } from '#ui/form.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useAction } from '#ui/use-action.ts'
import { WhatsappMark } from '#ui/whatsapp-mark.tsx'
import { linkPasswordProblem, sharedDays, type sharedDaysOffered } from '../rules.ts'
import type { SharedLink } from '../schemas.ts'
import { addressOf, CopyLink, LinkPasswordField, makeLink, RevokeSheet, sharedLinksQuery } from './links.tsx'

interface Shared {
  generationId: string
  position: number
  hasOriginal: boolean
  /** ISO 8601. */
  keptUntil: string
}

export function ShareLinkSheet({ onClose, ...shared }: Shared & { onClose: () => void }) {
  const { t } = useLingui()
  const links = useQuery(sharedLinksQuery)
  const [link, setLink] = useState<SharedLink | 'new' | null>(null)
  const { generationId, position } = shared
  const first = links.data?.find((one) => one.generationId === generationId && one.position === position)
  const shown = link ?? first ?? (links.isPending ? null : 'new')
  return (
    <BottomSheet open onClose={onClose} title={shown === 'new' ? t`Bagikan lewat tautan` : t`Tautannya siap`}>
      {shown === 'new' ? (
        <NewLink {...shared} onMade={setLink} />
      ) : shown ? (
        <MadeLink link={shown} onEnded={onClose} onAnother={() => setLink('new')} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </BottomSheet>
  )
}

const texts = { 'shared.password': msg`Pakai 6 karakter atau lebih.` }

function NewLink({
  generationId,
  position,
  hasOriginal,
  keptUntil,
  onMade,
}: Shared & { onMade: (link: SharedLink) => void }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [days, setDays] = useState<number>(sharedDays)
  const [withOriginal, setWithOriginal] = useState(false)
  const [locked, setLocked] = useState(false)
  const form = useForm({
    defaultValues: { password: '' },
    texts,
    check: ({ password }) => ({ password: locked ? linkPasswordProblem(password) : null }),
    send: async ({ password }) =>
      onMade(
        await makeLink(client, { generationId, position, days, withOriginal, password: locked ? password : null }),
      ),
  })
  const until = formatDate(Math.min(serverNow() + days * dayMs, Date.parse(keptUntil)))
  return (
    <Form form={form} className="grid grid-cols-1 gap-4" action={t`Buat tautan`}>
      <p className="text-muted text-sm leading-relaxed">
        {t`Siapa pun yang punya tautannya bisa melihat hasil ini. Nama dan akunmu tidak ditampilkan.`}
      </p>
      <Segmented
        label={t`Berlaku selama`}
        labelShown
        choices={
          { 1: t`1 hari`, 7: t`7 hari`, 30: t`30 hari` } satisfies Record<(typeof sharedDaysOffered)[number], string>
        }
        value={String(days)}
        onChange={(count) => setDays(Number(count))}
      />
      <p className="-mt-2 text-muted text-sm">{t`Sampai ${until}. Bisa dicabut kapan saja.`}</p>
      {hasOriginal && (
        <Switch
          label={t`Sertakan foto asli`}
          hint={t`Untuk dibandingkan; tampil selama foto aslinya masih kami simpan.`}
          value={withOriginal}
          onChange={setWithOriginal}
        />
      )}
      <Switch
        label={t`Kunci dengan kata sandi`}
        hint={t`Kirim kata sandinya terpisah dari tautannya.`}
        value={locked}
        onChange={setLocked}
      />
      {locked && <LinkPasswordField {...form.field('password')} />}
    </Form>
  )
}

function MadeLink({ link, onEnded, onAnother }: { link: SharedLink; onEnded: () => void; onAnother: () => void }) {
  const { t } = useLingui()
  const [revoking, setRevoking] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const address = addressOf(link)
  const until = formatDate(link.expiresAt)
  const hand = useAction(async () => {
    // The user closed the device's sheet.
    await navigator.share({ url: address }).catch(() => undefined)
  })
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextField ref={field} label={t`Tautan`} readOnly value={address} onFocus={({ target }) => target.select()} />
      <p className="-mt-2 text-muted text-sm leading-relaxed">
        {link.hasPassword ? t`Berlaku sampai ${until}, dengan kata sandimu.` : t`Berlaku sampai ${until}.`}{' '}
        <Link to="/profile#shared" className="font-semibold text-primary-ink underline">
          {t`Semua tautanmu ada di Akun.`}
        </Link>
      </p>
      <CopyLink address={address} onFailed={() => field.current?.select()} />
      {!('share' in navigator) ? (
        <a
          href={`https://wa.me/?text=${encodeURIComponent(address)}`}
          target="_blank"
          rel="noopener"
          className={buttonClass({ variant: 'soft', size: 'lg' })}
        >
          <ButtonMark icon={WhatsappMark} />
          WhatsApp
        </a>
      ) : (
        <Button size="lg" variant="soft" icon={Share2} onClick={() => hand.mutate()}>
          {t`Bagikan ke aplikasi lain`}
        </Button>
      )}
      <Button variant="ghost" onClick={onAnother}>
        {t`Buat tautan lain`}
      </Button>
      <Button variant="ghost" className="text-error" onClick={() => setRevoking(true)}>
        {t`Cabut tautan`}
      </Button>
      {revoking && <RevokeSheet id={link.id} onClose={() => setRevoking(false)} onRevoked={onEnded} />}
    </div>
  )
}
