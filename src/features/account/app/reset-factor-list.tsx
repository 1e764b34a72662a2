import { formatDateTime } from '#client/format.ts'
import { CheckboxField } from '#ui/field.tsx'
import type { ResetFactors } from '../types.ts'

/**
 * What stands beside the password of the account, each of which can be removed after some days. In
 * Indonesian like all auth screens.
 */
export function ResetFactorList({
  factors: { items, delayHours },
  chosen,
  onChoose,
}: {
  factors: ResetFactors
  chosen: string[]
  onChoose: (ids: string[]) => void
}) {
  return (
    <fieldset className="grid gap-1 rounded-box bg-soft px-5 py-4 text-on-soft">
      <legend className="float-left mb-2 w-full font-bold">Langkah kedua di akunmu</legend>
      <p className="mb-1 text-sm leading-relaxed">
        Langkah kedua tetap diminta saat masuk. Kalau hilang, atau bukan kamu yang memasangnya, pilih untuk dihapus{' '}
        {delayHours} jam lagi. Kami mengabarimu lewat email, dan memakainya untuk masuk membatalkan penghapusan.
      </p>
      {items.map(({ id, kind, name, createdAt }) => (
        <CheckboxField
          key={id}
          label={`Hapus ${kind === 'code' ? 'aplikasi autentikator' : `kunci sandi ${name ?? 'perangkat lain'}`}, dipasang ${formatDateTime(createdAt)}`}
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            onChoose(target.checked ? [...chosen, id] : chosen.filter((already) => already !== id))
          }
        />
      ))}
    </fieldset>
  )
}
