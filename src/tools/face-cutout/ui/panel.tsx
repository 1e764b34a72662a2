import { useLingui } from '@lingui/react/macro'
import { Crop, Files, Grid2x2, LayoutGrid, Sticker, UserSquare } from 'lucide-react'
import { ColorPicker, type OptionSection, OptionSections, Range, Swatch } from '#tools/ui/controls.tsx'
import type { Correction } from '#tools/ui/correction.ts'
import { brushIn, useCorrectionSection } from '#tools/ui/correction-tools.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { Segmented } from '#ui/segmented.tsx'
import { type FaceCutoutParams, maxBorder } from '../contract/definition.ts'

type Props = PanelProps<FaceCutoutParams, Correction>

const usualBorder = 0.03

/**
 * Options of the face cut-out: how each head is cropped and delivered, and the border of a sticker.
 */
export function FaceCutoutPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const correction = useCorrectionSection(phase === 'after' ? stage : null)
  const sections: OptionSection[] = [
    {
      id: 'crop',
      label: t`Potongan`,
      icon: Crop,
      content: <Shape {...props} />,
      changed: params.crop !== 'tight' || params.output !== 'each',
    },
    {
      id: 'border',
      label: t`Tepi stiker`,
      icon: Sticker,
      content: <Border {...props} />,
      changed: params.border > 0,
    },
    ...correction,
  ]
  return <OptionSections sections={sections} onOpen={brushIn(stage)} />
}

function Shape({ params, onChange }: Props) {
  const { t } = useLingui()
  return (
    <div className="grid gap-2">
      <Segmented
        label={t`Bentuk potongan`}
        value={params.crop}
        onChange={(crop) => onChange({ crop })}
        choices={[
          { value: 'tight', label: t`Ketat`, icon: Crop },
          { value: 'square', label: t`Persegi`, icon: UserSquare },
        ]}
      />
      <Segmented
        label={t`Hasil`}
        value={params.output}
        onChange={(output) => onChange({ output })}
        choices={[
          { value: 'each', label: t`Satu per wajah`, icon: Files },
          { value: 'sheet', label: t`Satu lembar`, icon: LayoutGrid },
        ]}
      />
    </div>
  )
}

function Border({ params, onChange }: Props) {
  const { t } = useLingui()
  const { border, borderColor } = params
  const on = border > 0
  const colours = [
    { color: '#ffffff', label: t`Putih`, tick: 'text-neutral-900' },
    { color: '#18181b', label: t`Hitam` },
    { color: '#f4b400', label: t`Kuning`, tick: 'text-neutral-900' },
    { color: '#ec4899', label: t`Pink` },
  ]
  const pick = (color: string) => onChange({ borderColor: color, border: on ? border : usualBorder })
  const width = Math.round(border * 1000) / 10
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <fieldset
        aria-label={t`Warna garis tepi`}
        className="-mx-5 flex min-w-0 gap-0.5 overflow-x-auto px-5 py-1 [scrollbar-width:none] lg:mx-0 lg:grid lg:grid-cols-6 lg:overflow-visible lg:px-0"
      >
        <Swatch
          caption={t`Tanpa`}
          className="checker"
          tick="text-base-content"
          checked={!on}
          onSelect={() => onChange({ border: 0 })}
        >
          {on ? <Grid2x2 aria-hidden className="size-5 text-muted" /> : null}
        </Swatch>
        {colours.map(({ color, label, tick }) => (
          <Swatch
            key={color}
            caption={label}
            color={color}
            {...(tick && { tick })}
            checked={on && borderColor.toLowerCase() === color}
            onSelect={() => pick(color)}
          />
        ))}
        <ColorPicker
          label={t`Warna garis tepi sendiri`}
          caption={t`Warna`}
          checked={on && !colours.some(({ color }) => color === borderColor.toLowerCase())}
          color={borderColor}
          onPick={pick}
        />
      </fieldset>
      {on && (
        <Range
          label={t`Tebal`}
          value={width}
          text={`${width}%`}
          min={1}
          max={100 * maxBorder}
          step={0.5}
          onChange={(value) => onChange({ border: value / 100 })}
        />
      )}
    </div>
  )
}
