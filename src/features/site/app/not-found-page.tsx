import { useLingui } from '@lingui/react/macro'
import { ArrowLeft } from 'lucide-react'
import { Button, LinkButton } from '#ui/button.tsx'
import { usePageTitle } from '#ui/page-title.ts'

/** Any path that leads nowhere. */
export function NotFoundPage() {
  const { t } = useLingui()
  usePageTitle('Halaman tidak ditemukan')
  return (
    <div className="page grid min-h-[70dvh] grid-cols-1 content-center justify-items-center gap-4 py-10 text-center">
      <svg viewBox="0 0 240 170" className="w-64 max-w-full on-side:w-36" aria-hidden="true">
        <rect
          x="20"
          y="18"
          width="200"
          height="134"
          rx="20"
          fill="none"
          stroke="var(--color-base-content)"
          strokeWidth="4"
          strokeDasharray="12 10"
          strokeLinecap="round"
        />
        <path
          d="M84 150c2-29 16-44 36-44s34 15 36 44"
          fill="var(--color-soft)"
          stroke="var(--color-primary)"
          strokeWidth="4"
          strokeDasharray="7 7"
          strokeLinecap="round"
        />
        <circle
          cx="120"
          cy="76"
          r="24"
          fill="var(--color-soft)"
          stroke="var(--color-primary)"
          strokeWidth="4"
          strokeDasharray="7 7"
          strokeLinecap="round"
        />
        <path
          d="M113 71c.4-9 13.5-9 13.5 0 0 6-6.5 5.5-6.5 12m0 8v.5"
          fill="none"
          stroke="var(--color-primary-ink)"
          strokeWidth="4.5"
          strokeLinecap="round"
        />
      </svg>
      <h1 lang="id" className="wrap-anywhere font-extrabold text-3xl md:text-4xl">
        Halaman tidak ditemukan
      </h1>
      <p lang="id" className="text-lg text-muted">
        Maaf, halaman yang Anda cari tidak ditemukan.
      </p>
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        <Button
          variant="outline"
          size="lg"
          icon={<ArrowLeft aria-hidden className="size-5" />}
          onClick={() => window.history.back()}
        >
          {t`Kembali`}
        </Button>
        <LinkButton to="/" size="lg">
          {t`Ke beranda`}
        </LinkButton>
      </div>
    </div>
  )
}
