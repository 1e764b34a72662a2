import { useLingui } from '@lingui/react/macro'
import { Brush, Dices, SlidersHorizontal } from 'lucide-react'
import { formatNumber } from '#client/format.ts'
import { OptionButton, OptionSections, optionProps, Range } from '#tools/ui/controls.tsx'
import type { PanelProps, StageProps } from '#tools/ui/page.ts'
import { useServerSelection } from '#tools/ui/tools-query.ts'
import { MaskCanvas } from '#ui/mask-editor/mask-canvas.tsx'
import { MaskTools } from '#ui/mask-editor/mask-tools.tsx'
import type { MaskState } from '#ui/mask-editor/strokes.ts'
import { Segmented } from '#ui/segmented.tsx'
import { maxMargin, maxSeed, type ObjectRemovalParams } from '../contract/definition.ts'

type Props = PanelProps<ObjectRemovalParams, MaskState>

export function ObjectRemovalPanel(props: Props) {
  const { t } = useLingui()
  const { counts, phase, stage } = props
  if (phase === 'after' || !counts.picture) return <Format {...props} />
  const options = { id: 'options', label: t`Isian`, icon: SlidersHorizontal, content: <Options {...props} /> }
  const marks = stage && {
    id: 'marks',
    label: t`Tandai`,
    icon: Brush,
    content: <MaskTools state={stage.state} onChange={stage.onChange} />,
    changed: stage.state.history.strokes.length > 0,
  }
  return <OptionSections sections={[marks, options]} />
}

function Options(props: Props) {
  const { t } = useLingui()
  const { stage } = props
  const { seed, margin } = props.params
  return (
    <div className="flex flex-col gap-2">
      <Range
        label={t`Lebarkan tanda`}
        {...optionProps(props, 'margin')}
        text={`${formatNumber(Math.round(margin * 1000) / 10)}%`}
        max={maxMargin}
        parts={1000}
        step={1}
      />
      {stage && stage.state.history.strokes.length > 0 && (
        <OptionButton icon={Dices} onClick={() => props.onChange({ seed: (seed % maxSeed) + 1 })}>
          {t`Isi dengan cara lain (cara ${seed})`}
        </OptionButton>
      )}
      <Format {...props} />
    </div>
  )
}

function Format(props: Props) {
  const { t } = useLingui()
  return (
    <Segmented
      label={t`Format`}
      {...optionProps(props, 'format')}
      choices={{ png: 'PNG', webp: 'WebP', jpeg: 'JPEG' }}
    />
  )
}

export function ObjectRemovalStage(props: StageProps<MaskState>) {
  const { t } = useLingui()
  const { history, selecting } = props.state
  return (
    <>
      <MaskCanvas {...props} selectsOnServer={useServerSelection()} />
      {history.strokes.length === 0 && (
        <span className="compare-tag pointer-events-none absolute top-3 left-1/2 z-1 w-max max-w-[calc(100%-1rem)] -translate-x-1/2 text-center">
          {selecting ? t`Ketuk benda yang mau dihapus` : t`Sapu benda yang mau dihapus`}
        </span>
      )}
    </>
  )
}
