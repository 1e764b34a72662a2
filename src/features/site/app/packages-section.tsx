import { Plural, useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Check } from 'lucide-react'
import { formatDollars, formatRupiah } from '#app/format.ts'
import { isAuthenticatedAtom } from '#app/session.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { packages, rupiahOf } from './packages.ts'

/** The three packages side by side. */
export function Packages() {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const leads = {
    STARTER: t`Untuk mulai mencoba`,
    BASIC: t`Untuk jualan dan kebutuhan rutin`,
    PREMIUM: t`Untuk yang mengedit setiap hari`,
  }
  const contents = [
    t`Headshot AI`,
    t`Latar baru`,
    t`Hapus latar dan objek`,
    t`Tata letak foto`,
    t`Edit khusus oleh desainer`,
  ]
  return (
    <ul className="grid gap-5 md:grid-cols-3">
      {packages.map(({ id, dollars, credits }) => {
        const best = id === 'BASIC'
        return (
          <li
            key={id}
            className={`card-surface flex flex-col gap-5 p-6 ${best ? 'border-2 border-primary md:-my-3 md:py-9' : ''}`}
          >
            <div>
              <div className="flex items-center justify-between gap-3">
                <h3 className="font-extrabold tracking-wide">{id}</h3>
                {best && (
                  <span className="rounded-full bg-soft px-3 py-1 font-semibold text-on-soft text-sm">{t`Paling pas`}</span>
                )}
              </div>
              <p className="mt-1 text-muted text-sm">{leads[id]}</p>
            </div>
            <div>
              <p className="flex items-baseline gap-1.5">
                <span className="font-extrabold text-4xl tracking-tight">{formatDollars(dollars)}</span>
                <span className="text-muted">{t`/ 30 hari`}</span>
              </p>
              <p className="mt-1 text-muted">{formatRupiah(rupiahOf(dollars))}</p>
            </div>
            <p className="font-bold text-lg">
              {credits === null ? t`Kredit tanpa batas` : <Plural value={credits} other="# kredit" />}
            </p>
            <ul className="grid gap-2">
              {contents.map((content) => (
                <li key={content} className="flex gap-2.5">
                  <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-primary" />
                  {content}
                </li>
              ))}
            </ul>
            <div className="mt-auto pt-1">
              <LinkButton
                to={signedIn ? '/checkout' : '/register'}
                state={signedIn ? { package: id } : { from: '/pricing' }}
                variant={best ? 'primary' : 'soft'}
                size="lg"
                className="w-full"
              >
                {signedIn ? t`Pilih ${id}` : t`Mulai gratis`}
              </LinkButton>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
