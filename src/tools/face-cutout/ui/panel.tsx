import { useLingui } from '@lingui/react/macro'
import { Crop, Files, Grid2x2, LayoutGrid, Sticker, UserSquare } from 'lucide-react'
import {
  ChoiceRow,
  ColorPicker,
  ColorSwatches,
  OptionSections,
  optionProps,
  Range,
  Swatch,
} from '#tools/ui/controls.tsx'
import type { Correction } from '#tools/ui/correction.ts'
import { brushIn, CorrectionStage, useCorrectionSection } from '#tools/ui/correction-tools.tsx'
import type { PanelProps, StageProps } from '#tools/ui/page.ts'
import { FacePicker } from '#ui/face-picker.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { type FaceCutoutParams, maxBorder } from '../contract/definition.ts'

type Props = PanelProps<FaceCutoutParams, Correction>

const usualBorder = 0.03

export function FaceCutoutPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const correction = useCorrectionSection(phase === 'after' ? stage : null)
  const sections = [
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
    correction,
  ]
  return <OptionSections sections={sections} onOpen={brushIn(stage)} />
}

function Shape(props: Props) {
  const { t } = useLingui()
  return (
    <div className="grid gap-2">
      <Segmented
        label={t`Bentuk potongan`}
        {...optionProps(props, 'crop')}
        choices={{
          tight: { label: t`Ketat`, icon: Crop },
          square: { label: t`Persegi`, icon: UserSquare },
        }}
      />
      <Segmented
        label={t`Hasil`}
        {...optionProps(props, 'output')}
        choices={{
          each: { label: t`Satu per wajah`, icon: Files },
          sheet: { label: t`Satu lembar`, icon: LayoutGrid },
        }}
      />
    </div>
  )
}

function Border(props: Props) {
  const { t } = useLingui()
  const { params, onChange } = props
  const { border, borderColor } = params
  const on = border > 0
  const colours = [
    { color: '#ffffff', label: t`Putih`, tick: 'text-neutral-900' },
    { color: '#18181b', label: t`Hitam` },
    { color: '#f4b400', label: t`Kuning`, tick: 'text-neutral-900' },
    { color: '#ec4899', label: t`Pink` },
  ]
  const pick = (color: string) => onChange({ borderColor: color, border: on ? border : usualBorder })
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <ChoiceRow label={t`Warna garis tepi`} className="gap-0.5 lg:grid-cols-6">
        <Swatch
          caption={t`Tanpa`}
          className="checker"
          tick="text-base-content"
          checked={!on}
          onSelect={() => onChange({ border: 0 })}
        >
          {on ? <Grid2x2 aria-hidden className="size-5 text-muted" /> : null}
        </Swatch>
        <ColorSwatches
          colors={colours}
          color={on ? borderColor.toLowerCase() : null}
          onPick={({ color }) => pick(color)}
        />
        <ColorPicker
          label={t`Warna garis tepi sendiri`}
          caption={t`Warna`}
          checked={on && !colours.some(({ color }) => color === borderColor.toLowerCase())}
          color={borderColor}
          onPick={pick}
        />
      </ChoiceRow>
      {on && <Range label={t`Tebal`} {...optionProps(props, 'border')} min={0.01} max={maxBorder} step={0.5} />}
    </div>
  )
}

export function FaceCutoutStage(props: StageProps<Correction, FaceCutoutParams>) {
  const { t } = useLingui()
  const { picture, params, onParams, files, size, check } = props
  if (props.state.brushing) return <CorrectionStage {...props} />
  const faces = check?.faces ?? []
  const all = faces.map((_, index) => index)
  const known = params.picked.filter((index) => index < faces.length)
  const picked = known.length > 0 ? known : all
  return (
    <>
      <div className="stage-picture">{picture}</div>
      {faces.length > 1 && (
        <FacePicker
          faces={faces}
          size={files.picture?.[0]?.size ?? size}
          picked={picked}
          onPick={(next) => onParams({ picked: next.length === faces.length ? [] : next })}
          label={t`Wajah yang dipotong`}
        />
      )}
    </>
  )
}
