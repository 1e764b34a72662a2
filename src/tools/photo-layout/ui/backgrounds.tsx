import { useLingui } from '@lingui/react/macro'
import { OwnPicture } from '#tools/ui/background-picker.tsx'
import { ChoiceRow, ColorPicker, ColorSwatches } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import type { PhotoLayoutParams } from '../contract/definition.ts'
import type { LayoutStage } from './stage-state.ts'

export function PageBackgrounds({ params, onChange, files, onFile }: PanelProps<PhotoLayoutParams, LayoutStage>) {
  const { t } = useLingui()
  const { background } = params
  const colors = [
    { color: '#ffffff', label: t`Putih`, tick: 'text-neutral-900', ink: '#1f1d1a' },
    { color: '#18181b', label: t`Hitam`, ink: '#ffffff' },
    { color: '#fdf3e1', label: t`Krem`, tick: 'text-neutral-900', ink: '#5b4632' },
    { color: '#fbdce4', label: t`Pink`, tick: 'text-neutral-900', ink: '#7a2948' },
    { color: '#cfeadf', label: t`Mint`, tick: 'text-neutral-900', ink: '#1d4d41' },
    { color: '#c9def4', label: t`Biru`, tick: 'text-neutral-900', ink: '#1c3f66' },
  ]
  const color = background.type === 'color' ? background.color.toLowerCase() : null
  const own = color !== null && !colors.some((known) => known.color === color)
  return (
    <ChoiceRow label={t`Latar halaman`} className="gap-0.5 lg:grid-cols-6 lg:gap-y-1">
      <ColorSwatches
        colors={colors}
        color={color}
        onPick={(known) => onChange({ background: { type: 'color', color: known.color }, textColor: known.ink })}
      />
      <ColorPicker
        label={t`Warna sendiri`}
        caption={t`Warna`}
        checked={own}
        color={color ?? '#f4b400'}
        onPick={(picked) => onChange({ background: { type: 'color', color: picked } })}
      />
      <OwnPicture
        checked={background.type === 'image'}
        file={files.background?.[0]}
        onPick={async (file) => {
          if (await onFile('background', file)) onChange({ background: { type: 'image' } })
        }}
      />
    </ChoiceRow>
  )
}
