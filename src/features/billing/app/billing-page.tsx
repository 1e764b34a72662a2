import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Hourglass } from 'lucide-react'
import { serverNow } from '#client/device/server-time.ts'
import { formatAge, formatDate, formatNumber } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { balanceQuery, CreditMark } from '#features/credits/app/credits.tsx'
import { type LotSource, reminderDays, type WelcomeRefusal } from '#features/credits/rules.ts'
import type { CreditBalance, LotView } from '#features/credits/schemas.ts'
import { dayMs } from '#shared/time.ts'
import { LinkButton } from '#ui/button.tsx'
import { CreditCount } from '#ui/credit-count.tsx'
import { DataAge } from '#ui/data-age.tsx'
import { PageLoadFailed } from '#ui/lists/query-state.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Skeleton, SkeletonText } from '#ui/skeleton.tsx'
import { Records } from './billing-records.tsx'
import { PaymentHelp } from './order-parts.tsx'

function useSourceNames(): Record<LotSource, string> {
  const { t } = useLingui()
  return {
    package: t`Paket`,
    voucher: t({ message: 'Voucher', context: 'a single one' }),
    welcome: t`Kredit selamat datang`,
    refund: t`Pengembalian`,
    adjustment: t`Penyesuaian`,
  }
}

function WelcomeRefused({ reason }: { reason: WelcomeRefusal | null | undefined }) {
  const { t } = useLingui()
  const email = useAtomValue(userAtom)?.email ?? ''
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const reasons: Record<WelcomeRefusal, string> = {
    disposable: t`Alamat emailmu dari layanan email sekali pakai (${domain}), jadi kredit selamat datang tidak diberikan. Kamu tetap bisa membeli kredit seperti biasa.`,
    alias: t`Alamat emailmu dari layanan alias (${domain}) yang bisa membuat alamat tanpa batas, jadi kredit selamat datang tidak diberikan. Kamu tetap bisa membeli kredit seperti biasa.`,
    mailbox: t`Kredit selamat datang diberikan sekali untuk setiap kotak surat, dan kotak surat ini sudah pernah mendapatkannya.`,
    domain: t`Kredit selamat datang diberikan untuk beberapa alamat saja di satu domain, dan alamat lain di ${domain} sudah mendapatkannya. Kamu tetap bisa membeli kredit seperti biasa.`,
  }
  return reason ? <p>{reasons[reason]}</p> : null
}

/** Merges credits of one kind that expire on the same day, to keep the list readable. */
function byDay(lots: LotView[]): LotView[] {
  const days = new Map<string, LotView>()
  for (const lot of lots) {
    const key = `${lot.source} ${formatDate(lot.expiresAt)}`
    const known = days.get(key)
    days.set(key, known ? { ...known, remaining: known.remaining + lot.remaining } : lot)
  }
  return [...days.values()]
}

function CreditLots({ balance }: { balance: CreditBalance }) {
  const { t } = useLingui()
  const names = useSourceNames()
  if (balance.grants.length === 0 && balance.credits > 0) return <SkeletonText lines={2} />
  if (balance.grants.length === 0) {
    return (
      <div className="grid gap-2 text-muted leading-relaxed">
        <p>{t`Belum ada kredit yang aktif.`}</p>
        <WelcomeRefused reason={balance.welcomeRefused} />
      </div>
    )
  }
  return (
    <ul className="divide-y divide-line">
      {byDay(balance.grants).map((lot) => {
        const date = formatDate(lot.expiresAt)
        const age = formatAge(lot.expiresAt)
        return (
          <li key={`${lot.source} ${lot.expiresAt}`} className="flex flex-wrap items-center gap-x-4 py-3.5">
            <span className="grid min-w-[min(9rem,100%)] flex-1">
              <span className="font-semibold">{names[lot.source]}</span>
              <span className="text-muted text-sm">
                {t`Berlaku sampai ${date}`} · {age}
              </span>
            </span>
            <span className="ml-auto font-bold tabular-nums">
              <CreditCount count={lot.remaining} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function EndsSoon({ balance }: { balance: CreditBalance }) {
  const { t } = useLingui()
  const expiresSoon = (moment: string) => Date.parse(moment) - serverNow() <= reminderDays * dayMs
  const { unlimitedUntil } = balance
  const ending = balance.grants.filter(({ expiresAt }) => expiresSoon(expiresAt))
  const [first] = ending
  const premiumEnds = unlimitedUntil !== null && expiresSoon(unlimitedUntil)
  if (!first && !premiumEnds) return null
  const age = formatAge(first?.expiresAt ?? serverNow())
  const premiumAge = formatAge(unlimitedUntil ?? serverNow())
  return (
    <div className="mb-3 flex gap-3 rounded-field bg-warning/12 px-4 py-3 text-sm leading-relaxed">
      <Hourglass aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />
      <div>
        {premiumEnds && <p>{t`Masa tanpa batasmu berakhir ${premiumAge}. Tidak diperpanjang otomatis.`}</p>}
        {first && (
          <p>
            <Plural
              value={ending.reduce((sum, { remaining }) => sum + remaining, 0)}
              other={`# kredit segera berakhir, yang pertama ${age}. Pakai dulu, ya.`}
            />
          </p>
        )}
      </div>
    </div>
  )
}

export function BillingPage() {
  const { t } = useLingui()
  const query = useQuery(balanceQuery)
  const { data, dataUpdatedAt } = query
  const until = data?.unlimitedUntil ? formatDate(data.unlimitedUntil) : ''
  return (
    <div className="page">
      <PageHeader
        title={t`Kredit`}
      >{t`Kredit dipakai saat kamu membuat hasil. Hasil yang gagal tidak memotong kredit.`}</PageHeader>
      {!data && (
        <PageLoadFailed queries={[query]} title={t`Saldo belum bisa ditampilkan`}>
          <div className="grid gap-6 lg:grid-cols-[22rem_1fr]">
            <Skeleton className="h-52" />
            <SkeletonText lines={4} />
          </div>
        </PageLoadFailed>
      )}
      {data && (
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[22rem_1fr]">
          <section aria-label={t`Saldo`} className="card grid grid-cols-1 gap-5 p-6">
            <div className="flex flex-wrap items-center gap-4">
              <CreditMark className="size-14" />
              <div>
                <p className="text-muted text-sm">{t`Saldo kamu`}</p>
                <p className="font-extrabold text-4xl tabular-nums tracking-tight">
                  {data.unlimitedUntil ? t`Tanpa batas` : formatNumber(data.credits)}
                </p>
              </div>
            </div>
            {data.unlimitedUntil && <p className="text-muted text-sm">{t`Berlaku sampai ${until}`}</p>}
            <DataAge updatedAt={dataUpdatedAt} />
            <div className="grid gap-2">
              {!data.unlimitedUntil && (
                <LinkButton to="/pricing" size="lg">
                  {t`Lihat paket kredit`}
                </LinkButton>
              )}
              <LinkButton variant="ghost" to="/checkout?package=">
                {t`Punya kode voucher?`}
              </LinkButton>
            </div>
          </section>
          <section aria-labelledby="grants" className="card self-stretch p-6">
            <h2 id="grants" className="mb-2 font-bold text-xl">
              <Trans>Masa berlaku</Trans>
            </h2>
            <EndsSoon balance={data} />
            <CreditLots balance={data} />
          </section>
        </div>
      )}
      <Records />
      <PaymentHelp />
    </div>
  )
}
