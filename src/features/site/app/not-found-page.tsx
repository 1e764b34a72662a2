import { useLingui } from '@lingui/react/macro'
import { ArrowLeft } from 'lucide-react'
import { Button, LinkButton } from '#ui/button.tsx'
import { EmptyIllustration } from '#ui/empty-illustration.tsx'
import { usePageTitle } from '#ui/page-header.tsx'

export function NotFoundPage() {
  const { t } = useLingui()
  usePageTitle(t`Halaman tidak ditemukan`)
  return (
    <div className="page grid min-h-[70dvh] grid-cols-1 content-center justify-items-center gap-4 py-10 text-center">
      <EmptyIllustration className="w-64 on-side:w-36" />
      <h1 className="wrap-anywhere font-extrabold text-3xl md:text-4xl">{t`Halaman tidak ditemukan`}</h1>
      <p className="text-lg text-muted">{t`Maaf, halaman yang Anda cari tidak ditemukan.`}</p>
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        <Button variant="outline" size="lg" icon={ArrowLeft} onClick={() => window.history.back()}>
          {t`Kembali`}
        </Button>
        <LinkButton to="/" size="lg">
          {t`Ke beranda`}
        </LinkButton>
      </div>
    </div>
  )
}
