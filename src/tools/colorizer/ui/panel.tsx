import { useLingui } from '@lingui/react/macro'
import { useGesture } from '@use-gesture/react'
import { Paintbrush, SlidersHorizontal, Trash2, Undo2, WandSparkles } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
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
import type { PanelProps, StageProps } from '#tools/ui/page.ts'
import { useProvidedTasks, useServerSelection } from '#tools/ui/tools-query.ts'
import { IconButton } from '#ui/button.tsx'
import { arrowSteps, clampShare } from '#ui/geometry.ts'
import { simplify } from '#ui/mask-editor/outline.ts'
import { useSelect } from '#ui/mask-editor/use-select.ts'
import { type ColorizerParams, maxSaturation } from '../contract/definition.ts'
import { addHint, type HintStage, hintSize, type ShareHint } from './stage-state.ts'

type Props = PanelProps<ColorizerParams, HintStage>

export function ColorizerPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const renews = useProvidedTasks('colorizer')('restorePhoto')
  const percent = Math.round(params.saturation * 100)
  const options: OptionSection = {
    id: 'options',
    label: t`Warna`,
    icon: SlidersHorizontal,
    changed: params.saturation !== 1 || !params.restore || params.scratches || params.full,
    content: (
      <div className="flex flex-col gap-1">
        {phase === 'before' && (renews || params.full) && (
          <Switch
            label={t`Warna penuh dari AI`}
            hint={t`AI membuat ulang seluruh foto dengan warna. Di hasil kedua, warnanya dipasang ke foto aslimu. Harganya dua kali.`}
            {...optionProps(props, 'full')}
          />
        )}
        <Range
          label={t`Kepekatan`}
          {...optionProps(props, 'saturation')}
          text={percent > 100 ? `+${percent - 100}` : `${percent - 100}`}
          max={maxSaturation}
        />
        <Switch
          label={t`Pulihkan foto pudar`}
          hint={t`Gelap dan terangnya dikembalikan. Warna kuning foto lama selalu dibersihkan.`}
          {...optionProps(props, 'restore')}
        />
        <Switch
          label={t`Perbaiki goresan`}
          hint={t`Garis tipis bekas lipatan dan goresan diisi dulu.`}
          {...optionProps(props, 'scratches')}
        />
      </div>
    ),
  }
  const hints: OptionSection | null = stage && {
    id: 'hints',
    label: t`Petunjuk warna`,
    icon: Paintbrush,
    content: <Hints stage={stage} />,
    changed: stage.state.hints.length > 0,
  }
  return (
    <OptionSections
      sections={[options, hints]}
      onOpen={(id) => stage?.onChange((now) => ({ ...now, painting: id === 'hints' }))}
    />
  )
}

function Hints({ stage }: { stage: NonNullable<Props['stage']> }) {
  const { t } = useLingui()
  const { painting, selecting, color, hints } = stage.state
  const colors = [
    { color: '#d9a27e', label: t`Kulit terang` },
    { color: '#a8704a', label: t`Kulit sawo` },
    { color: '#2b211c', label: t`Rambut` },
    { color: '#b3262b', label: t`Merah` },
    { color: '#e6b422', label: t`Kuning` },
    { color: '#4f8f4a', label: t`Hijau` },
    { color: '#6fa8dc', label: t`Langit` },
    { color: '#2f4f8f', label: t`Biru` },
    { color: '#7a4f33', label: t`Cokelat` },
    { color: '#7451a8', label: t`Ungu` },
  ]
  const set = (next: string) => stage.onChange((now) => ({ ...now, color: next, painting: true }))
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <OptionButton
        icon={Paintbrush}
        aria-pressed={painting}
        className="max-lg:aria-pressed:hidden"
        onClick={() => stage.onChange((now) => ({ ...now, painting: !painting }))}
      >
        {painting ? t`Selesai menandai` : t`Tandai di foto`}
      </OptionButton>
      <ChoiceRow label={t`Warna petunjuk`} className="gap-0.5 lg:grid-cols-6 lg:gap-y-1">
        <ColorPicker
          label={t`Warna sendiri`}
          caption={t`Warna`}
          checked={!colors.some((known) => known.color === color)}
          color={color}
          onPick={set}
        />
        <ColorSwatches colors={colors} color={color} onPick={(known) => set(known.color)} />
      </ChoiceRow>
      <div className="flex flex-wrap items-center gap-1">
        <p className="min-w-[min(9rem,100%)] flex-1 text-muted text-xs">
          {selecting
            ? t`Pilih warna, lalu ketuk benda di foto.`
            : t`Pilih warna, lalu ketuk atau sapu tempatnya di foto.`}
        </p>
        <IconButton
          icon={WandSparkles}
          label={t`Tandai dengan satu ketukan`}
          title={t`Tandai dengan satu ketukan`}
          className="aria-pressed:bg-soft aria-pressed:text-on-soft"
          aria-pressed={selecting}
          onClick={() => stage.onChange((now) => ({ ...now, selecting: !selecting, painting: true }))}
        />
        <IconButton
          icon={Undo2}
          label={t`Urungkan`}
          disabled={hints.length === 0}
          onClick={() => stage.onChange((now) => ({ ...now, hints: now.hints.slice(0, -1) }))}
        />
        <IconButton
          icon={Trash2}
          label={t`Hapus semua petunjuk`}
          disabled={hints.length === 0}
          onClick={() => stage.onChange((now) => ({ ...now, hints: [] }))}
        />
      </div>
    </div>
  )
}

/**
 * A tap makes a dot, a moving finger a line; in region mode a tap colours the region. Keys: arrows
 * move the spot, space taps.
 */
export function HintCanvas({ picture, pictureUrl, size, state, onChange }: StageProps<HintStage, ColorizerParams>) {
  const { t } = useLingui()
  const area = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<readonly number[]>([])
  const select = useSelect(pictureUrl, useServerSelection())
  const [spot, setSpot] = useState({ x: 0.5, y: 0.5, shown: false })
  const longer = Math.max(size.width, size.height)
  const shareOf = ([clientX, clientY]: readonly [number, number]): [number, number] => {
    const box = area.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return [clampShare((clientX - box.left) / box.width), clampShare((clientY - box.top) / box.height)]
  }
  const addLine = (points: readonly number[]) => onChange((now) => addHint(now, { size: hintSize, points }))
  async function tap(x: number, y: number) {
    if (!state.selecting) return addLine([x, y])
    const found = await select(x, y, 'keep').catch(() => null)
    // A tap that finds no region becomes a dot.
    if (!found || found.points.length < 6) return addLine([x, y])
    const { shape, size: wide, points } = found
    onChange((now) => addHint(now, { shape, size: wide, points }))
  }

  const gestures = useGesture(
    {
      onDrag: ({ first, last, xy, memo }) => {
        if (state.selecting) return last ? void tap(...shareOf(xy)) : undefined
        const points = [...(first || !memo ? [] : (memo as number[])), ...shareOf(xy)]
        setDrawing(last ? [] : points)
        if (last) addLine(simplify(points, 0.002))
        return points
      },
    },
    { drag: { pointer: { capture: true, keys: false } } },
  )

  function onKeyDown(event: KeyboardEvent) {
    const arrow = arrowSteps[event.key]
    if (arrow) {
      const step = event.shiftKey ? 0.05 : 0.01
      setSpot(({ x, y }) => ({
        x: clampShare(x + step * arrow[0]),
        y: clampShare(y + step * arrow[1]),
        shown: true,
      }))
    } else if (event.key === ' ' || event.key === 'Enter') void tap(spot.x, spot.y)
    else if (event.key === 'Backspace' || (event.key === 'z' && (event.ctrlKey || event.metaKey))) {
      onChange((now) => ({ ...now, hints: now.hints.slice(0, -1) }))
    } else return
    event.preventDefault()
  }

  const outline = ({ shape, points }: Omit<ShareHint, 'color'>) => {
    const pairs = points.map((share, i) => (share * (i % 2 === 0 ? size.width : size.height)).toFixed(1))
    // A line from a point to itself draws a dot.
    return `M${pairs.slice(0, 2).join(' ')}L${pairs.join(' ')}${shape === 'area' ? 'Z' : ''}`
  }
  const shown =
    drawing.length > 0 ? [...state.hints, { color: state.color, size: hintSize, points: drawing }] : state.hints
  return (
    <div
      ref={area}
      {...gestures()}
      role="application"
      aria-label={t`Area petunjuk warna. Panah menggerakkan titik, spasi menaruh warna, hapus mengurungkan.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys draw on the element
      tabIndex={0}
      className="absolute inset-0 cursor-crosshair touch-none select-none *:pointer-events-none *:absolute *:inset-0 *:size-full"
      onKeyDown={onKeyDown}
    >
      <div className="*:pointer-events-none *:absolute *:inset-0 *:size-full">{picture}</div>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden="true">
        {shown.map((hint) => (
          <g key={`${hint.color}${hint.points.join()}`} fill="none" strokeLinecap="round" strokeLinejoin="round">
            <path d={outline(hint)} stroke="#fff" strokeWidth={(hint.size + 0.008) * longer} />
            <path
              d={outline(hint)}
              stroke={hint.color}
              strokeWidth={hint.size * longer}
              {...(hint.shape === 'area' && { fill: hint.color, fillOpacity: 0.5 })}
            />
          </g>
        ))}
        {spot.shown && (
          <circle
            cx={spot.x * size.width}
            cy={spot.y * size.height}
            r={0.014 * longer}
            fill={state.color}
            stroke="#fff"
            strokeWidth={0.004 * longer}
          />
        )}
      </svg>
    </div>
  )
}
