import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

export function Steps() {
  const { t } = useLingui()
  const steps = [
    {
      mark: <PhotoMark />,
      title: t`Pilih foto`,
      text: t`Dari galeri, kamera, atau tempel. Fotonya dikecilkan seperlunya supaya hemat kuota.`,
    },
    {
      mark: <WandMark />,
      title: t`Tunggu sebentar`,
      text: t`Harganya selalu terlihat sebelum kamu menekan tombol. Prosesnya hitungan detik.`,
    },
    {
      mark: <DownloadMark />,
      title: t`Unduh atau bagikan`,
      text: t`Ganti latar dan format sesukamu, gratis, lalu simpan sebagai PNG, JPG, atau WebP.`,
    },
  ]
  return (
    <ol className="grid grid-cols-1 gap-8 md:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))] md:gap-6">
      {steps.map(({ mark, title, text }, index) => (
        <li key={title} className="flex flex-wrap gap-x-5 gap-y-3 md:flex-col">
          {mark}
          <div className="min-w-[min(11rem,100%)] flex-1">
            <h3 className="font-bold text-xl">
              <span className="text-primary-ink">{index + 1}.</span> {title}
            </h3>
            <p className="mt-1.5 text-muted leading-relaxed">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}

function Mark({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 96 96" className="size-20 shrink-0 md:size-28" aria-hidden="true">
      <rect x="4" y="4" width="88" height="88" rx="26" fill="var(--color-soft)" />
      {children}
    </svg>
  )
}

const line = {
  stroke: 'var(--color-base-content)',
  strokeWidth: 3.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

function PhotoMark() {
  return (
    <Mark>
      <g fill="var(--color-base-100)" {...line}>
        <rect x="25" y="26" width="36" height="44" rx="7" transform="rotate(-12 43 48)" />
        <rect x="38" y="27" width="36" height="44" rx="7" transform="rotate(7 56 49)" />
      </g>
      <g transform="rotate(7 56 49)">
        <circle cx="56" cy="42" r="6" fill="var(--color-primary)" />
        <path d="M45 62c.5-7 5-11 11-11s10.5 4 11 11z" fill="var(--color-primary)" />
      </g>
    </Mark>
  )
}

function WandMark() {
  return (
    <Mark>
      <rect x="24" y="25" width="40" height="46" rx="9" strokeDasharray="7 6" fill="none" {...line} />
      <circle cx="44" cy="43" r="8" fill="var(--color-primary)" />
      <path d="M29 71c.6-10.5 6.5-17 15-17s14.4 6.5 15 17z" fill="var(--color-primary)" />
      <path
        d="M70 22c1.5 8.5 4.5 12 12 14.5-7.5 2.5-10.5 6-12 14.5-1.5-8.5-4.5-12-12-14.5 7.5-2.5 10.5-6 12-14.500z"
        fill="var(--color-base-content)"
      />
    </Mark>
  )
}

function DownloadMark() {
  return (
    <Mark>
      <path d="M48 24v28m0 0 11-11M48 52 37 41" fill="none" {...line} stroke="var(--color-primary)" strokeWidth={5} />
      <path d="M24 56v7a9 9 0 0 0 9 9h30a9 9 0 0 0 9-9v-7" fill="none" {...line} />
    </Mark>
  )
}
