import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import {
  Crop,
  ImageIcon,
  type LucideIcon,
  PaintBucket,
  RectangleVertical,
  ScanFace,
  SquareDashedMousePointer,
  Sticker,
  Store,
  X,
} from 'lucide-react'
import { BackgroundPicker } from '#tools/ui/background-picker.tsx'
import { type OptionSection, OptionSections, Range, Swatch, Switch } from '#tools/ui/controls.tsx'
import { useCorrectionSection } from '#tools/ui/correction-tools.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
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

/** All that shops, feeds and messengers ask for, by one tap. */
function Presets({ params, onChange }: Props) {
  const { t } = useLingui()
  const white = { type: 'color', color: '#ffffff' } as const
  const { background } = params
  const presets: {
    shape: Props['params']['shape']
    caption: string
    icon: LucideIcon
    hint: string
    set: Partial<Props['params']>
  }[] = [
    {
      shape: 'own',
      caption: t`Asli`,
      icon: ImageIcon,
      hint: t`Bentuk fotomu sendiri, tanpa latar.`,
      set: {
        background: { type: 'transparent' },
        margin: backgroundRemoval.defaults.margin,
        shadow: false,
        format: 'png',
      },
    },
    {
      shape: '1:1',
      caption: t`Marketplace`,
      icon: Store,
      hint: t`1:1 putih dengan bayangan, untuk Tokopedia, Shopee, dan TikTok Shop.`,
      set: { background: white, margin: 0.1, shadow: true, format: 'jpeg' },
    },
    {
      shape: '4:5',
      caption: t`Instagram`,
      icon: RectangleVertical,
      hint: t`4:5 untuk feed Instagram.`,
      set: {
        background: background.type === 'transparent' ? white : background,
        margin: 0.12,
        shadow: false,
        format: 'jpeg',
      },
    },
    {
      shape: 'sticker',
      caption: t`Stiker WA`,
      icon: Sticker,
      hint: t`Stiker WhatsApp: 512 × 512 bergaris tepi putih, di bawah 100 KB.`,
      set: { background: { type: 'transparent' }, shadow: false, format: 'webp' },
    },
  ]
  return (
    <div className="grid gap-1.5">
      <fieldset aria-label={t`Siap jual`} className="grid min-w-0 grid-cols-4">
        {presets.map(({ shape, caption, icon: Icon, set }) => (
          <Swatch
            key={shape}
            caption={caption}
            className="bg-base-200"
            checked={params.shape === shape}
            onSelect={() => onChange({ ...set, crop: false, shape })}
          >
            <Icon aria-hidden className="size-5" />
          </Swatch>
        ))}
      </fieldset>
      <p className="text-muted text-xs">{presets.find(({ shape }) => shape === params.shape)?.hint}</p>
    </div>
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
      {params.crop || params.shape === '1:1' || params.shape === '4:5' ? (
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
