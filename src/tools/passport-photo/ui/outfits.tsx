import { useLingui } from '@lingui/react/macro'
import { optionProps } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { Segmented } from '#ui/segmented.tsx'
import type { PassportPhotoParams } from '../contract/definition.ts'

export function Outfits(props: Pick<PanelProps<PassportPhotoParams>, 'params' | 'onChange'>) {
  const { t } = useLingui()
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Segmented
        label={t`Pakaian di foto`}
        choices={{ own: t`Asli`, shirt: t`Kemeja putih`, suit: t`Jas`, hijab: t`Hijab` }}
        {...optionProps(props, 'outfit')}
      />
      <p className="text-muted text-xs">
        {t`AI mengganti pakaianmu, wajahmu tetap piksel aslinya. Harganya dua kali, dan kembali kalau hasilnya tidak mirip.`}
      </p>
    </div>
  )
}
