import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import {
  Crop,
  ImageIcon,
  PaintBucket,
  RectangleVertical,
  ScanFace,
  Square,
  SquareDashedMousePointer,
  Store,
  X,
} from 'lucide-react'
import { platformOf } from '#contract/platforms.ts'
import { BackgroundPicker } from '#tools/ui/background-picker.tsx'
import { type OptionSection, OptionSections, Range, Switch } from '#tools/ui/controls.tsx'
import { useCorrectionSection } from '#tools/ui/correction-tools.tsx'
import { useLogoSection } from '#tools/ui/logo-section.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { PlatformChoice } from '#tools/ui/platform-choice.tsx'
import { SubjectChoice } from '#tools/ui/subject-choice.tsx'
import { toolsQuery } from '#tools/ui/tools-query.ts'
import { firstBox } from '#ui/geometry.ts'
import { type BackgroundRemovalParams, backgroundRemoval, maxMargin } from '../contract/definition.ts'
import type { SubjectStage } from './stage-state.ts'

type Props = PanelProps<BackgroundRemovalParams, SubjectStage>

/** Options of background removal. */
export function BackgroundRemovalPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const correction = useCorrectionSection(stage)
  const logo = useLogoSection(props)
  const { data: tools } = useQuery(toolsQuery)
  const knowsDepth = tools?.items.find(({ id }) => id === 'background-removal')?.others.includes('depth')
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
          onLens={knowsDepth ? () => props.onChange({ background: { type: 'lens' } }) : undefined}
        />
      ),
      changed: params.background.type !== 'transparent',
    },
    {
      id: 'ready',
      label: t`Siap jual`,
      icon: Store,
      content: <Presets {...props} />,
      changed: params.shape !== 'own',
    },
    {
      id: 'frame',
      label: t`Bingkai`,
      icon: Crop,
      content: <Frame {...props} />,
      changed: params.crop || params.shadow || params.softness > 0,
    },
    logo,
    ...correction,
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
      onOpen={(id) =>
        stage?.onChange((now) => ({ ...now, brushing: id === 'brush', marking: id === 'subject' && now.marking }))
      }
    />
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
            aria-pressed={stage.state.marking}
            className="btn btn-ghost btn-sm min-h-11! flex-1 justify-start gap-2 aria-pressed:bg-soft"
            onClick={() =>
              stage.onChange((now) =>
                now.marking
                  ? { ...now, marking: false }
                  : { ...now, brushing: false, marking: true, box: now.box ?? firstBox },
              )
            }
          >
            <SquareDashedMousePointer aria-hidden className="size-5" />
            {stage.state.marking
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
              onClick={() => stage.onChange((now) => ({ ...now, marking: false, box: null }))}
            >
              <X aria-hidden className="size-5" />
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/** Around a subject, as a share of the longer side of its box. */
const platformMargin = 0.1

/** All that shops, feeds and messengers ask for, by one tap. */
function Presets({ params, onChange }: Props) {
  const { t } = useLingui()
  const { defaults } = backgroundRemoval
  const white = { type: 'color', color: '#ffffff' } as const
  const behind = params.background.type === 'transparent' ? white : params.background
  const lookOf = (shape: Props['params']['shape']): Partial<Props['params']> => {
    if (shape === 'own') return { background: defaults.background, margin: defaults.margin, format: 'png' }
    if (shape === 'sticker') return { background: defaults.background, format: 'webp' }
    const platform = platformOf(shape)
    return {
      background: platform?.goods ? white : behind,
      margin: platform ? platformMargin : defaults.margin,
      shadow: platform?.goods ?? false,
      format: 'jpeg',
    }
  }
  return (
    <PlatformChoice
      label={t`Siap jual`}
      own={[
        { value: 'own', caption: t`Asli`, icon: <ImageIcon aria-hidden className="size-5" /> },
        { value: '1:1', caption: '1:1', icon: <Square aria-hidden className="size-5" /> },
        { value: '4:5', caption: '4:5', icon: <RectangleVertical aria-hidden className="size-5" /> },
      ]}
      value={params.shape}
      onChange={(shape) => onChange({ shadow: false, ...lookOf(shape), crop: false, shape })}
    />
  )
}

function Frame({ params, onChange }: Props) {
  const { t } = useLingui()
  const percent = Math.round(params.margin * 100)
  const softness = Math.round(params.softness * 100)
  return (
    <div className="flex flex-col">
      {params.shape === 'own' && (
        <Switch label={t`Potong pas ke subjek`} checked={params.crop} onChange={(crop) => onChange({ crop })} />
      )}
      {params.crop || (params.shape !== 'own' && params.shape !== 'sticker') ? (
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
