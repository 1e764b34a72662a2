import { useLingui } from '@lingui/react/macro'
import { Brush, Dices, SlidersHorizontal } from 'lucide-react'
import { formatNumber } from '#client/format.ts'
import { type OptionSection, OptionSections, Range } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import type { MaskState } from '#ui/mask-editor/mask-state.ts'
import { MaskTools } from '#ui/mask-editor/mask-tools.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { maxMargin, maxSeed, type ObjectRemovalParams } from '../contract/definition.ts'

type Props = PanelProps<ObjectRemovalParams, MaskState>

/** Options of object removal. */
export function ObjectRemovalPanel(props: Props) {
  const { t } = useLingui()
  const { phase, stage } = props
  if (phase === 'after') return <Format {...props} />
  const options: OptionSection = {
    id: 'options',
    label: t`Pilihan`,
    icon: SlidersHorizontal,
    content: <Options {...props} />,
  }
  const marks: OptionSection[] = stage
    ? [
        {
          id: 'marks',
          label: t`Tandai`,
          icon: Brush,
          content: <MaskTools state={stage.state} onChange={stage.onChange} />,
          changed: stage.state.history.strokes.length > 0,
        },
      ]
    : []
  return <OptionSections sections={[...marks, options]} />
}

function Options({ params, onChange, ...rest }: Props) {
  const { t } = useLingui()
  const { seed } = params
  const permille = Math.round(params.margin * 1000)
  return (
    <div className="flex flex-col gap-2">
      <Range
        label={t`Lebihkan`}
        value={permille}
        text={`${formatNumber(permille / 10)}%`}
        min={0}
        max={1000 * maxMargin}
        step={1}
        onChange={(value) => onChange({ margin: value / 1000 })}
      />
      <button
        type="button"
        className="btn btn-ghost btn-sm min-h-11! justify-start gap-2"
        onClick={() => onChange({ seed: (seed % maxSeed) + 1 })}
      >
        <Dices aria-hidden className="size-5" />
        {t`Coba isian lain (${seed})`}
      </button>
      <Format params={params} onChange={onChange} {...rest} />
    </div>
  )
}

function Format({ params, onChange }: Props) {
  const { t } = useLingui()
  return (
    <Segmented
      label={t`Format`}
      value={params.format}
      onChange={(format) => onChange({ format })}
      choices={[
        { value: 'png', label: 'PNG' },
        { value: 'webp', label: 'WebP' },
        { value: 'jpeg', label: 'JPEG' },
      ]}
    />
  )
}
