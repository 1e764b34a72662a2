import { useLingui } from '@lingui/react/macro'
import { LayoutGrid, Move, Palette, RectangleVertical, Type } from 'lucide-react'
import { OptionButton, type OptionSection, OptionSections, optionProps, Range, Switch } from '#tools/ui/controls.tsx'
import { useLogoSection } from '#tools/ui/logo-section.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { PlatformChoice } from '#tools/ui/platform-choice.tsx'
import { Segmented } from '#ui/segmented.tsx'
import {
  maxGap,
  maxText,
  type PhotoLayoutParams,
  paperShapes,
  plainShapes,
  textPattern,
} from '../contract/definition.ts'
import { PageBackgrounds } from './backgrounds.tsx'
import type { LayoutStage } from './stage-state.ts'
import { TemplateChoice } from './template-choice.tsx'

type PlainShape = (typeof plainShapes)[number]
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
      changed: params.shape !== '1:1',
    },
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

const proportions: Record<PlainShape, [number, number]> = {
  '1:1': [20, 20],
  '4:5': [18, 22],
  '9:16': [14, 24],
  '3:2': [24, 16],
  a4: [17, 24],
  '4r': [16, 24],
}

function Shape(props: LayoutPanelProps) {
  const { t } = useLingui()
  const { params, onChange } = props
  const paper = paperShapes.includes(params.shape)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <PlatformChoice
        label={t`Bentuk halaman`}
        own={plainShapes.map((shape) => {
          const [width, height] = proportions[shape]
          const icon = <span key={shape} className="rounded-[3px] border-2 border-current" style={{ width, height }} />
          return { value: shape, caption: shape.toUpperCase(), icon }
        })}
        value={params.shape}
        onChange={(shape) => onChange({ shape, ...(!paperShapes.includes(shape) && { pdf: false }) })}
      />
      <Switch label={t`Putar halaman`} {...optionProps(props, 'turned')} />
      {paper && (
        <Switch
          label={t`PDF untuk dicetak`}
          hint={t`Hasil kedua, ukurannya tepat dalam milimeter.`}
          {...optionProps(props, 'pdf')}
        />
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
