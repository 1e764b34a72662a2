import { useLingui } from '@lingui/react/macro'
import { Switch } from '#tools/ui/controls.tsx'
import { Segmented } from '#ui/segmented.tsx'
import type { HeadshotParams, HeadshotStyle } from '../contract/definition.ts'

/** The photograph itself, or new ones of the same person for twice the price. */
export function Styles({
  params,
  onChange,
}: {
  params: HeadshotParams
  onChange: (change: Partial<HeadshotParams>) => void
}) {
  const { t } = useLingui()
  const choices: { value: HeadshotStyle; label: string }[] = [
    { value: 'photo', label: t`Foto asli` },
    { value: 'office', label: t`Kantor` },
    { value: 'studio', label: t`Studio` },
    { value: 'outdoor', label: t`Luar ruang` },
    { value: 'traditional', label: t`Baju adat` },
  ]
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
            <Switch
              label={t`Pakaian asli`}
              checked={params.ownOutfit}
              onChange={(ownOutfit) => onChange({ ownOutfit })}
            />
            <Switch label={t`Pose asli`} checked={params.ownPose} onChange={(ownPose) => onChange({ ownPose })} />
          </div>
          <p className="text-muted text-xs">
            {t`AI membuat empat usulan dari satu wajah. Yang kurang mirip tidak ditampilkan; kalau semuanya, kreditmu kembali.`}
          </p>
        </>
      )}
    </div>
  )
}
