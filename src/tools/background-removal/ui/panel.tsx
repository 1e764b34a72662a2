import { useLingui } from '@lingui/react/macro'
import { Brush, Crop, PaintBucket, ScanFace, SquareDashedMousePointer, X } from 'lucide-react'
import { BackgroundPicker } from '#tools/ui/background-picker.tsx'
import { type OptionSection, OptionSections, Range, Switch } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { SubjectChoice } from '#tools/ui/subject-choice.tsx'
import { firstBox } from '#ui/geometry.ts'
import { MaskTools } from '#ui/mask-editor/mask-tools.tsx'
import { type BackgroundRemovalParams, maxMargin } from '../contract/definition.ts'
import type { SubjectStage } from './stage-state.ts'

type Props = PanelProps<BackgroundRemovalParams, SubjectStage>

/** Options of background removal. */
export function BackgroundRemovalPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const sections: OptionSection[] = [
    {
      id: 'background',
      label: t`Latar`,
      icon: PaintBucket,
      content: (
        <BackgroundPicker
          {...props}
          value={params.background}
          onChange={(background) => props.onChange({ background })}
        />
      ),
      changed: params.background.type !== 'transparent',
    },
    {
      id: 'frame',
      label: t`Bingkai`,
      icon: Crop,
      content: <Frame {...props} />,
      changed: params.crop || params.shadow || params.softness > 0,
    },
    ...(stage
      ? [
          {
            id: 'brush',
            label: t`Koreksi`,
            icon: Brush,
            content: <Correction stage={stage} />,
            changed: stage.state.mask.history.strokes.length > 0,
          },
        ]
      : []),
  ]
  const subject: OptionSection = {
    id: 'subject',
    label: t`Subjek`,
    icon: ScanFace,
    content: <Subject {...props} />,
    changed: params.subject !== 'auto' || Boolean(stage?.state.box),
  }
  return (
    <OptionSections
      sections={phase === 'before' ? [subject, ...sections] : sections}
      onOpen={(id) => stage?.onChange((now) => ({ ...now, mode: modeIn(id, now) }))}
    />
  )
}

/**
 * The brush works while its section is open, on phones and on wide screens alike where it was
 * pressed.
 */
function modeIn(section: string, { mode }: SubjectStage): SubjectStage['mode'] {
  return section === 'brush' ? 'brush' : section === 'subject' && mode === 'box' ? 'box' : 'off'
}

function Correction({ stage }: { stage: NonNullable<Props['stage']> }) {
  const { t } = useLingui()
  const { mode, mask } = stage.state
  const brushing = mode === 'brush'
  return (
    <div className="grid gap-2">
      <button
        type="button"
        aria-pressed={brushing}
        // On phones the brush works as long as its section is open.
        className="btn btn-ghost btn-sm min-h-11! justify-start gap-2 aria-pressed:bg-soft max-lg:aria-pressed:hidden"
        onClick={() => stage.onChange((now) => ({ ...now, mode: brushing ? 'off' : 'brush' }))}
      >
        <Brush aria-hidden className="size-5" />
        {brushing ? t`Selesai mengoreksi` : t`Koreksi dengan kuas`}
      </button>
      {brushing && (
        <MaskTools
          state={mask}
          labels={{ keep: t`Pertahankan`, erase: t`Buang` }}
          onChange={(change) => stage.onChange((now) => ({ ...now, mask: change(now.mask) }))}
        />
      )}
    </div>
  )
}

function Subject({ params, onChange, stage }: Props) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-2">
      <SubjectChoice value={params.subject} onChange={(subject) => onChange({ subject })} />
      {stage && (
        <div className="flex items-center gap-2">
          <button
            type="button"
            aria-pressed={stage.state.mode === 'box'}
            className="btn btn-ghost btn-sm min-h-11! flex-1 justify-start gap-2 aria-pressed:bg-soft"
            onClick={() =>
              stage.onChange((now) =>
                now.mode === 'box' ? { ...now, mode: 'off' } : { ...now, mode: 'box', box: now.box ?? firstBox },
              )
            }
          >
            <SquareDashedMousePointer aria-hidden className="size-5" />
            {stage.state.mode === 'box'
              ? t`Geser kotak ke objeknya`
              : stage.state.box
                ? t`Ubah kotak objek`
                : t`Tandai objek di foto`}
          </button>
          {stage.state.box && (
            <button
              type="button"
              className="btn btn-ghost btn-square size-11"
              aria-label={t`Hapus kotak objek`}
              onClick={() => stage.onChange((now) => ({ ...now, mode: 'off', box: null }))}
            >
              <X aria-hidden className="size-5" />
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function Frame({ params, onChange }: Props) {
  const { t } = useLingui()
  const percent = Math.round(params.margin * 100)
  const softness = Math.round(params.softness * 100)
  return (
    <div className="flex flex-col">
      <Switch label={t`Potong pas ke subjek`} checked={params.crop} onChange={(crop) => onChange({ crop })} />
      {params.crop ? (
        <Range
          label={t`Jarak tepi`}
          value={percent}
          text={`${percent}%`}
          min={0}
          max={100 * maxMargin}
          step={1}
          onChange={(value) => onChange({ margin: value / 100 })}
        />
      ) : null}
      <Switch label={t`Bayangan lembut`} checked={params.shadow} onChange={(shadow) => onChange({ shadow })} />
      <Range
        label={t`Tepi lembut`}
        value={softness}
        text={`${softness}%`}
        min={0}
        max={100}
        step={5}
        onChange={(value) => onChange({ softness: value / 100 })}
      />
    </div>
  )
}
