import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { memo } from 'react'
import { Link } from 'wouter'
import { isAuthenticatedAtom } from '#client/session.ts'
import { listedPages } from '#tools/pages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { ToolIcon } from '#tools/ui/tool-picture.tsx'
import { toolsQuery } from '#tools/ui/tools-query.ts'
import { CreditCount } from '#ui/credit-count.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Footer } from './footer.tsx'
import { Packages } from './packages-section.tsx'

/** Most of the server's prices equal the defaults, and such rows need not render again. */
const ToolPrice = memo(({ page: { definition, icon, labels }, credits }: { page: AnyToolPage; credits: number }) => {
  const { i18n } = useLingui()
  return (
    <li className="flex flex-wrap items-center gap-x-4 px-5 py-4">
      <ToolIcon mark={icon} className="size-9 shrink-0" />
      <span className="min-w-[min(8rem,100%)] flex-1 font-semibold">{i18n._(definition.label)}</span>
      <span className="ml-auto font-bold">
        {labels.price ? i18n._(labels.price(credits)) : <CreditCount count={credits} />}
      </span>
    </li>
  )
})

function ToolPrices() {
  // Default prices until the server's have loaded.
  const { data } = useQuery(toolsQuery)
  return (
    <ul className="card below-fold divide-y divide-line">
      {listedPages.map((page) => {
        const { id, defaultUnitPrice } = page.definition
        const set = data?.items.find((tool) => tool.id === id)
        return <ToolPrice key={id} page={page} credits={set?.credits ?? defaultUnitPrice} />
      })}
    </ul>
  )
}

export function PricingPage() {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  return (
    <>
      <div className="page">
        <PageHeader title={t`Harga`}>
          {t`Beli kredit sekali, pakai 30 hari. Tidak diperpanjang otomatis. Bayar dengan QRIS, dompet digital, atau transfer bank.`}
        </PageHeader>
        <h2 className="sr-only">{t`Paket kredit`}</h2>
        <div className="md:py-4">
          <Packages />
        </div>
        <p className="mt-6 leading-relaxed">
          {t`Punya kode voucher?`}{' '}
          <Link
            to={signedIn ? '/checkout?package=' : '/register'}
            state={signedIn ? undefined : { from: '/checkout?package=' }}
            className="font-semibold text-primary-ink underline"
          >
            {signedIn ? t`Masukkan saat pembayaran` : t`Daftar gratis, lalu masukkan saat pembayaran`}
          </Link>
        </p>
        <h2 className="mt-14 mb-5 font-extrabold text-2xl md:text-3xl">{t`Harga tiap alat`}</h2>
        <ToolPrices />
        <p className="mt-4 text-muted leading-relaxed">
          {t`Mengubah latar, potongan, atau format dari hasil yang sudah jadi selalu gratis. Hasil yang gagal tidak memotong kredit.`}
        </p>
      </div>
      <Footer />
    </>
  )
}
