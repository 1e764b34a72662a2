import { useLingui } from '@lingui/react/macro'

/** What people use it for: examples, named as such, of nobody in particular. */
export function Stories() {
  const { t } = useLingui()
  const stories = [
    {
      who: t`Jualan rumahan`,
      story: t`Foto di meja dapur, latarnya diganti warna polos. Etalase toko jadi seragam tanpa perlu studio.`,
    },
    {
      who: t`Melamar kerja`,
      story: t`Pasfoto mendadak malam-malam: selfie di kamar, latar merah, langsung dikirim lewat HP.`,
    },
    {
      who: t`Panitia acara`,
      story: t`Puluhan foto panitia dengan latar berantakan jadi satu gaya untuk buku acara, walau sinyal di aula jelek.`,
    },
  ]
  return (
    <ul className="grid gap-5 md:grid-cols-3">
      {stories.map(({ who, story }) => (
        <li key={who} className="card p-6">
          <h3 className="font-bold text-lg">{who}</h3>
          <p className="mt-2 text-muted leading-relaxed">{story}</p>
        </li>
      ))}
    </ul>
  )
}
