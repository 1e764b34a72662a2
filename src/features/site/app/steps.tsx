import { useLingui } from '@lingui/react/macro'
import { DownloadMark, PhotoMark, WandMark } from './step-marks.tsx'

/** How it goes, in three steps. */
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
    <ol className="grid grid-cols-1 gap-8 md:grid-cols-3 md:gap-10">
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
