import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link2Off, Lock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatDate } from '#client/format.ts'
import { findToolPage } from '#tools/pages.ts'
import { IconButton } from '#ui/button.tsx'
import type { SharedLink } from '../schemas.ts'
import { addressOf, CopyLink, RevokeSheet, sharedLinksQuery } from './links.tsx'

export function SharedLinksCard() {
  const { t } = useLingui()
  const { data: links } = useQuery(sharedLinksQuery)
  const card = useRef<HTMLElement>(null)
  const known = links !== undefined
  useEffect(() => {
    // The card loads after the page.
    if (known && window.location.hash === '#shared') card.current?.scrollIntoView()
  }, [known])
  return (
    <section ref={card} id="shared" className="card grid scroll-mt-20 grid-cols-1 content-start gap-5 p-6">
      <h2 className="font-bold text-[min(1.25rem,7vw)]">{t`Hasil yang dibagikan`}</h2>
      {links && links.length > 0 ? (
        <ul className="divide-y divide-line">
          {links.map((link) => (
            <SharedRow key={link.id} link={link} />
          ))}
        </ul>
      ) : (
        <p className="text-muted text-sm leading-relaxed">
          {links ? t`Belum ada. Buat tautan dari menu di pojok hasil editmu.` : '\u00a0'}
        </p>
      )}
    </section>
  )
}

function SharedRow({ link }: { link: SharedLink }) {
  const { t, i18n } = useLingui()
  const [revoking, setRevoking] = useState(false)
  const label = findToolPage(link.tool)?.definition.label
  const name = label ? i18n._(label) : t`Hasil edit`
  const until = formatDate(link.expiresAt)
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5">
      <span className="grid size-12 shrink-0 place-items-center overflow-hidden rounded-xl bg-base-200 [&>img]:max-h-full [&>img]:max-w-full">
        {link.thumbnailUrl && <img src={link.thumbnailUrl} alt="" loading="lazy" className="checker" />}
      </span>
      <span className="min-w-0 grow basis-40 text-sm">
        <span className="flex items-center gap-1.5 font-semibold">
          <span className="truncate">{name}</span>
          {link.hasPassword && <Lock aria-label={t`Dengan kata sandi`} className="size-4 shrink-0" />}
        </span>
        <span className="block text-muted">
          <Plural value={link.openings} _0="Belum dibuka" other="Dibuka # kali" />
        </span>
        <span className="block text-muted">{t`Berlaku sampai ${until}`}</span>
      </span>
      <span className="ml-auto flex gap-3">
        <CopyLink address={addressOf(link)} name={name} />
        <IconButton
          icon={Link2Off}
          label={t`Cabut tautan ${name}`}
          className="text-error"
          onClick={() => setRevoking(true)}
        />
        {revoking && <RevokeSheet id={link.id} onClose={() => setRevoking(false)} />}
      </span>
    </li>
  )
}
