import { useLingui } from '@lingui/react/macro'
import { Petals } from '#app/ui/logo.tsx'

/** Testimonials: what people use it for, written as examples and marked as such. */
export function Stories() {
  const { t } = useLingui()
  const stories = [
    {
      who: t`Penjual kue rumahan`,
      story: t`“Foto di meja dapur, latarnya kuganti warna polos. Etalase tokoku sekarang seragam, dan aku tidak perlu studio.”`,
    },
    {
      who: t`Pelamar kerja`,
      story: t`“Pasfoto mendadak malam-malam. Selfie di kamar, latar merah, langsung kukirim lewat HP.”`,
    },
    {
      who: t`Panitia kampus`,
      story: t`“Tiga puluh foto panitia dengan latar berantakan jadi satu gaya untuk buku acara. Sinyal di aula jelek, tapi semua terkirim.”`,
    },
  ]
  return (
    <>
      <ul className="grid gap-5 md:grid-cols-3">
        {stories.map(({ who, story }) => (
          <li key={who}>
            <figure className="card-surface flex h-full flex-col gap-5 p-6">
              <Petals className="size-7 text-primary-ink" />
              <blockquote className="flex-1 text-lg leading-relaxed">{story}</blockquote>
              <figcaption className="font-semibold text-muted">{who}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
      <p className="mt-5 text-muted text-sm">{t`Contoh pemakaian, bukan kutipan dari orang tertentu.`}</p>
    </>
  )
}
