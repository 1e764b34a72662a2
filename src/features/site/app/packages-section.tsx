import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Check } from 'lucide-react'
import { useDeferredValue } from 'react'
import { isAuthenticatedAtom } from '#client/session.ts'
import { PackageWorth, packagesQuery, usePrices, WorthNote } from '#features/billing/app/billing.tsx'
import type { PackageView } from '#features/billing/schemas.ts'
import { LinkButton } from '#ui/button.tsx'
import { CreditCount } from '#ui/credit-count.tsx'
import { PageLoadFailed } from '#ui/lists/query-state.tsx'
import { PageSkeleton } from '#ui/skeleton.tsx'
import { WelcomeOffer } from '#ui/welcome-offer.tsx'

export function Packages() {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const query = useQuery(packagesQuery)
  // An arriving answer renders at once and in one piece, the deferred one in slices.
  const data = useDeferredValue(query.data)
  const leads: Record<string, string> = {
    starter: t`Untuk mulai mencoba`,
    basic: t`Untuk jualan dan kebutuhan rutin`,
    premium: t`Untuk yang mengedit setiap hari`,
  }
  if (!data) {
    return (
      <PageLoadFailed queries={[query]} title={t`Harga belum bisa ditampilkan`}>
        <PageSkeleton className="grid gap-5 md:grid-cols-3" shapes={['h-120', 'h-120', 'h-120']} />
      </PageLoadFailed>
    )
  }
  return (
    <>
      <ul className="flex flex-wrap gap-5 *:min-w-0 *:flex-[1_1_14rem]">
        {data.items.map((offer) => (
          <Offer key={offer.id} offer={offer} lead={leads[offer.id]} />
        ))}
      </ul>
      <p className="mt-3 text-muted text-sm">
        <WorthNote /> {!signedIn && <WelcomeOffer />}
      </p>
      <Contents />
    </>
  )
}

function Offer({ offer, lead }: { offer: PackageView; lead: string | undefined }) {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { large, small } = usePrices()(offer)
  const { id, name, credits, days } = offer
  const best = id === 'basic'
  return (
    <li className={`card flex flex-col gap-4 p-6 ${best ? 'border-2 border-primary' : ''}`}>
      <div>
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <h3 className="font-extrabold tracking-wide">{name}</h3>
          {best && (
            <span className="rounded-full bg-soft px-3 py-1 font-semibold text-on-soft text-sm">{t`Paling pas`}</span>
          )}
        </div>
        <p className="mt-1 text-muted text-sm">{lead}</p>
      </div>
      <div>
        <p className="font-extrabold text-[min(1.875rem,10.5vw)] leading-tight tabular-nums tracking-tight">{large}</p>
        <p className="mt-1 text-muted">
          {small} {t`/ ${days} hari`}
        </p>
      </div>
      <div>
        <p className="font-bold text-lg">
          {credits === null ? t`Kredit tanpa batas` : <CreditCount count={credits} />}
        </p>
        <p className="mt-0.5 text-sm">
          <PackageWorth {...offer} />
        </p>
      </div>
      <div className="mt-auto pt-1">
        <LinkButton
          to={signedIn ? `/checkout?package=${id}` : '/register'}
          state={signedIn ? undefined : { from: `/checkout?package=${id}` }}
          variant={best ? 'primary' : 'soft'}
          size="lg"
          className="w-full"
        >
          {t`Pilih ${name}`}
        </LinkButton>
      </div>
    </li>
  )
}

function Contents() {
  const { t } = useLingui()
  const contents = [
    t`Headshot AI`,
    t`Latar baru`,
    t`Hapus latar dan objek`,
    t`Tata letak foto`,
    t`Edit khusus oleh desainer`,
  ]
  return (
    <div className="mt-8">
      <h3 className="font-bold">{t`Isi setiap paket`}</h3>
      <ul className="mt-3 grid gap-x-6 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
        {contents.map((name) => (
          <li key={name} className="flex gap-2.5">
            <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-primary-ink" />
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}
