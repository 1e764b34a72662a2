import { useLingui } from '@lingui/react/macro'
import { LayoutGrid, Move, Palette, Printer, RectangleVertical, Type } from 'lucide-react'
import { type LayoutCount, layoutTemplates, templateFor } from '#engine/tasks/layout/index.ts'
import { OwnPicture } from '#tools/ui/background-picker.tsx'
import {
  ChoiceRow,
  ColorPicker,
  ColorSwatches,
  OptionButton,
  type OptionSection,
  OptionSections,
  optionProps,
  Range,
  Switch,
} from '#tools/ui/controls.tsx'
import { useLogoSection } from '#tools/ui/logo-section.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { PlatformChoice } from '#tools/ui/platform-choice.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { isPaper, maxGap, maxText, type PhotoLayoutParams, textPattern } from '../contract/definition.ts'
import type { LayoutStage } from './stage-state.ts'

type LayoutPanelProps = PanelProps<PhotoLayoutParams, LayoutStage>

export function PhotoLayoutPanel(props: LayoutPanelProps) {
  const { t } = useLingui()
  const { params } = props
  const logo = useLogoSection(props)
  const sections: OptionSection[] = [
    {
      id: 'template',
      label: t`Susunan`,
      icon: LayoutGrid,
      content: (
        <div className="flex min-w-0 flex-col gap-1">
          <TemplateChoice {...props} />
          <Arrange {...props} />
        </div>
      ),
    },
    {
      id: 'shape',
      label: t`Bentuk`,
      icon: RectangleVertical,
      content: <Shape {...props} />,
      changed: params.shape !== '1:1' && !isPaper(params.shape),
    },
    { id: 'print', label: t`Cetak`, icon: Printer, content: <Print {...props} />, changed: isPaper(params.shape) },
    { id: 'style', label: t`Tampilan`, icon: Palette, content: <Style {...props} /> },
    logo,
    { id: 'text', label: t`Tulisan`, icon: Type, content: <Line {...props} />, changed: params.text.trim() !== '' },
  ]
  return <OptionSections sections={sections} />
}

/** Reopens a finished page for moving and swapping its pictures, free of charge. */
function Arrange({ phase, stage }: LayoutPanelProps) {
  const { t } = useLingui()
  if (phase === 'before' || !stage) return null
  const { arranging } = stage.state
  return (
    <OptionButton
      icon={Move}
      aria-pressed={arranging}
      onClick={() => stage.onChange((now) => ({ ...now, arranging: !now.arranging, selected: null }))}
    >
      {arranging ? t`Selesai mengatur` : t`Geser dan tukar foto`}
    </OptionButton>
  )
}

const proportions = {
  '1:1': [20, 20],
  '4:5': [18, 22],
  '9:16': [14, 24],
  '3:2': [24, 16],
} as const
const screenShapes = Object.keys(proportions) as (keyof typeof proportions)[]

function Shape(props: LayoutPanelProps) {
  const { t } = useLingui()
  const { params, onChange } = props
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <PlatformChoice
        label={t`Bentuk halaman`}
        own={screenShapes.map((shape) => {
          const [width, height] = proportions[shape]
          const icon = <span key={shape} className="rounded-[3px] border-2 border-current" style={{ width, height }} />
          return { value: shape, caption: shape, icon }
        })}
        value={isPaper(params.shape) ? null : params.shape}
        onChange={(shape) => onChange({ shape, pdf: false })}
      />
      <Switch label={t`Putar halaman`} {...optionProps(props, 'turned')} />
    </div>
  )
}

function Print(props: LayoutPanelProps) {
  const { t } = useLingui()
  const { params, onChange } = props
  const chosen = isPaper(params.shape) ? params.shape : 'none'
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Segmented
        label={t`Ukuran kertas`}
        value={chosen}
        choices={{ none: t`Tidak dicetak`, a4: 'A4', '4r': '4R' }}
        onChange={(paper) => onChange(paper === 'none' ? { shape: '1:1', pdf: false } : { shape: paper, pdf: true })}
      />
      {chosen !== 'none' && (
        <>
          <Switch
            label={t`PDF untuk dicetak`}
            hint={t`Hasil kedua, ukurannya tepat dalam milimeter.`}
            {...optionProps(props, 'pdf')}
          />
          <Switch label={t`Putar halaman`} {...optionProps(props, 'turned')} />
        </>
      )}
    </div>
  )
}

function Style(props: LayoutPanelProps) {
  const { t } = useLingui()
  const gap = Math.round(props.params.gap * 1000)
  return (
    <div className="flex min-w-0 flex-col">
      <PageBackgrounds {...props} />
      <Range label={t`Jarak`} {...optionProps(props, 'gap')} text={`${gap / 10}%`} max={maxGap} parts={1000} />
      <Range label={t`Sudut`} {...optionProps(props, 'radius')} step={4} />
    </div>
  )
}

function Line(props: LayoutPanelProps) {
  const { t } = useLingui()
  const { params, onChange } = props
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <input
          type="text"
          aria-label={t`Tulisan di halaman`}
          placeholder={t`Misalnya: Liburan di Bali`}
          className="input min-h-11 min-w-0 flex-1"
          maxLength={maxText}
          value={params.text}
          onChange={({ target }) => onChange({ text: drawable(target.value) })}
        />
        <input
          type="color"
          aria-label={t`Warna tulisan`}
          className="size-11 shrink-0 cursor-pointer rounded-xl border border-line bg-base-100 p-1"
          value={params.textColor}
          onChange={({ target }) => onChange({ textColor: target.value })}
        />
      </div>
      <Segmented
        label={t`Tempat tulisan`}
        {...optionProps(props, 'textPlace')}
        choices={{ top: t`Di atas`, bottom: t`Di bawah` }}
      />
    </div>
  )
}

/** Removes characters that the font lacks, such as emoji. */
const drawable = (text: string) => [...text].filter((letter) => textPattern.test(letter)).join('')

/** Templates for four pictures are shown before there are enough. */
function TemplateChoice({ params, onChange, counts }: PanelProps<PhotoLayoutParams, LayoutStage>) {
  const { t } = useLingui()
  const count = Math.min(8, Math.max(4, counts.pictures ?? 4)) as LayoutCount
  const chosen = templateFor(count, params.template).id
  return (
    <ChoiceRow label={t`Susunan halaman`} className="gap-2 lg:grid-cols-6">
      {layoutTemplates[count].map(({ id, cells }, index) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === chosen}
          aria-label={t`Susunan ${index + 1}`}
          onClick={() => onChange({ template: id.slice(2) })}
          className="grid aspect-square w-16 shrink-0 place-items-center rounded-xl bg-base-200 text-muted aria-pressed:bg-soft aria-pressed:text-primary aria-pressed:outline-2 aria-pressed:outline-primary aria-pressed:-outline-offset-2 lg:w-auto"
        >
          <svg viewBox="0 0 48 48" className="w-3/4" aria-hidden="true">
            {cells.map(({ x, y, width, height }) => (
              <rect
                key={`${x},${y}`}
                x={48 * x + 1.5}
                y={48 * y + 1.5}
                width={48 * width - 3}
                height={48 * height - 3}
                rx="2.5"
                fill="currentColor"
                opacity={x === cells[0]?.x && y === cells[0]?.y ? 1 : 0.55}
              />
            ))}
          </svg>
        </button>
      ))}
    </ChoiceRow>
  )
}

function PageBackgrounds({ params, onChange, files, onFile }: PanelProps<PhotoLayoutParams, LayoutStage>) {
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
