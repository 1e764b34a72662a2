import { useLingui } from '@lingui/react/macro'
import {
  Box,
  Brush,
  Crop,
  Droplets,
  ImagePlus,
  PaintBucket,
  ScanFace,
  Sparkles,
  SquareDashedMousePointer,
  User,
  X,
} from 'lucide-react'
import { useId } from 'react'
import { firstBox } from '#app/ui/box-marker.tsx'
import { MaskTools } from '#app/ui/mask-editor/mask-tools.tsx'
import { ColorPicker, type OptionSection, OptionSections, Range, Segmented, Swatch, Switch } from '../controls.tsx'
import { useObjectUrl } from '../object-url.ts'
import type { PanelProps } from '../page.ts'
import type { Background, BackgroundRemovalParams } from './contract.ts'
import type { SubjectStage } from './stage-state.ts'

const defaultColor = '#f4b400'

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
      content: <Backgrounds {...props} />,
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

/** The brush works while its section is open, on phones and on wide screens alike where it was pressed. */
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
        className="btn btn-ghost btn-sm min-h-11 justify-start gap-2 font-medium aria-pressed:bg-soft max-lg:aria-pressed:hidden"
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
      <Segmented
        label={t`Subjek yang dipertahankan`}
        value={params.subject}
        onChange={(subject) => onChange({ subject })}
        choices={[
          { value: 'auto', label: t`Otomatis`, icon: Sparkles },
          { value: 'person', label: t`Orang`, icon: User },
          { value: 'object', label: t`Benda`, icon: Box },
        ]}
      />
      {stage && (
        <div className="flex items-center gap-2">
          <button
            type="button"
            aria-pressed={stage.state.mode === 'box'}
            className="btn btn-ghost btn-sm min-h-11 flex-1 justify-start gap-2 font-medium aria-pressed:bg-soft"
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

function Backgrounds({ params, onChange, files, onFile }: Props) {
  const { t } = useLingui()
  const { background } = params
  const colors = [
    { color: '#ffffff', label: t`Putih`, tick: 'text-neutral-900' },
    { color: '#e7e5e4', label: t`Abu`, tick: 'text-neutral-900' },
    { color: '#18181b', label: t`Hitam` },
    { color: '#db1514', label: t`Merah` },
    { color: '#0090ff', label: t`Biru` },
    { color: '#fde68a', label: t`Krem`, tick: 'text-neutral-900' },
    { color: '#a7f3d0', label: t`Mint`, tick: 'text-neutral-900' },
    { color: '#fbcfe8', label: t`Pink`, tick: 'text-neutral-900' },
  ]
  const color = background.type === 'color' ? background.color.toLowerCase() : null
  const own = color !== null && !colors.some((known) => known.color === color)
  const set = (next: Background) => onChange({ background: next })
  return (
    <fieldset
      aria-label={t`Pilihan latar`}
      className="-mx-5 flex min-w-0 gap-0.5 overflow-x-auto px-5 py-1 [scrollbar-width:none] lg:mx-0 lg:grid lg:overflow-visible lg:grid-cols-6 lg:gap-y-1 lg:px-0"
    >
      <Swatch
        caption={t`Transparan`}
        className="checker"
        tick="text-base-content"
        checked={background.type === 'transparent'}
        onSelect={() => set({ type: 'transparent' })}
      />
      <ColorPicker
        label={t`Warna sendiri`}
        caption={t`Warna`}
        checked={own}
        color={color ?? defaultColor}
        onPick={(picked) => set({ type: 'color', color: picked })}
      />
      <Swatch
        caption={t`Buram`}
        className="bg-base-200"
        checked={background.type === 'blur'}
        onSelect={() => set({ type: 'blur' })}
      >
        <Droplets aria-hidden className="size-5" />
      </Swatch>
      <OwnPicture
        checked={background.type === 'image'}
        file={files.background?.[0]}
        onPick={async (file) => {
          if (await onFile('background', file)) set({ type: 'image' })
        }}
      />
      {colors.map((known) => (
        <Swatch
          key={known.color}
          caption={known.label}
          color={known.color}
          tick={known.tick}
          checked={color === known.color}
          onSelect={() => set({ type: 'color', color: known.color })}
        />
      ))}
    </fieldset>
  )
}

function OwnPicture({ checked, file, onPick }: { checked: boolean; file?: Blob; onPick: (file: File) => void }) {
  const { t } = useLingui()
  const input = useId()
  const url = useObjectUrl(file)
  return (
    <label
      htmlFor={input}
      className="group flex w-16 shrink-0 cursor-pointer flex-col lg:w-auto items-center gap-1.5 rounded-xl py-1 text-xs has-focus-visible:outline-2 has-focus-visible:outline-primary"
    >
      <span
        data-checked={checked || undefined}
        className="grid size-11 place-items-center overflow-hidden rounded-full bg-base-200 ring-1 ring-base-content/15 ring-inset data-checked:outline-2 data-checked:outline-primary data-checked:outline-offset-2"
      >
        {url ? (
          <img src={url} alt="" className="size-full object-cover" />
        ) : (
          <ImagePlus aria-hidden className="size-5" />
        )}
      </span>
      <span className="flex w-full justify-center whitespace-nowrap lg:text-[0.6875rem]">{t`Foto`}</span>
      <input
        id={input}
        type="file"
        accept="image/*"
        aria-label={t`Foto sendiri sebagai latar`}
        className="sr-only"
        onChange={(event) => {
          const picked = event.target.files?.[0]
          if (picked) onPick(picked)
          event.target.value = ''
        }}
      />
    </label>
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
          max={50}
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
