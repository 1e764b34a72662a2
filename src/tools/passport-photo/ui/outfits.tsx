import { useLingui } from '@lingui/react/macro'
import { Segmented } from '#ui/segmented.tsx'
import type { Outfit, PassportPhotoParams } from '../contract/definition.ts'

/** The clothes of the photograph, or others for twice the price. */
export function Outfits({
  params,
  onChange,
}: {
  params: PassportPhotoParams
  onChange: (change: Partial<PassportPhotoParams>) => void
}) {
  const { t } = useLingui()
  const choices: { value: Outfit; label: string }[] = [
    { value: 'own', label: t`Asli` },
    { value: 'shirt', label: t`Kemeja putih` },
    { value: 'suit', label: t`Jas` },
    { value: 'hijab', label: t`Hijab` },
  ]
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Segmented
        label={t`Pakaian di foto`}
        choices={choices}
        value={params.outfit}
        onChange={(outfit) => onChange({ outfit })}
      />
      <p className="text-muted text-xs">
        {t`AI mengganti pakaianmu, wajahmu tetap piksel aslinya. Harganya dua kali, dan kembali kalau hasilnya tidak mirip.`}
      </p>
    </div>
  )
}
