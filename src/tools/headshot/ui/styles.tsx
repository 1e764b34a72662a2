import { useLingui } from '@lingui/react/macro'
import { optionProps, Switch } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { Segmented } from '#ui/segmented.tsx'
import type { HeadshotParams, HeadshotStyle } from '../contract/definition.ts'

export function Styles(props: Pick<PanelProps<HeadshotParams>, 'params' | 'onChange'>) {
  const { t } = useLingui()
  const { params, onChange } = props
  const choices: Record<HeadshotStyle, string> = {
    photo: t`Foto asli`,
    office: t`Kantor`,
    studio: t`Studio`,
    outdoor: t`Luar ruang`,
    traditional: t`Baju adat`,
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Segmented
        label={t`Gaya headshot`}
        choices={choices}
        value={params.style}
        onChange={(style) => onChange({ style, ...(style !== 'photo' && { mode: 'each' as const }) })}
      />
      {params.style !== 'photo' && (
        <>
          <div className="grid grid-cols-2 gap-x-6">
            <Switch label={t`Pakaian asli`} {...optionProps(props, 'ownOutfit')} />
            <Switch label={t`Pose asli`} {...optionProps(props, 'ownPose')} />
          </div>
          <p className="text-muted text-xs">
            {t`AI membuat empat usulan dari satu wajah. Yang kurang mirip tidak ditampilkan; kalau semuanya, kreditmu kembali.`}
          </p>
        </>
      )}
    </div>
  )
}
