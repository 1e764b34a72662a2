import { useLingui } from '@lingui/react/macro'
import { useGesture } from '@use-gesture/react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { StageProps } from '#tools/ui/page.ts'
import { useServerSelection } from '#tools/ui/tools-query.ts'
import { arrowSteps, clampShare } from '#ui/arrow-keys.ts'
import { simplify } from '#ui/mask-editor/simplify.ts'
import { useSelect } from '#ui/mask-editor/use-select.ts'
import type { ColorizerParams } from '../contract/definition.ts'
import { addHint, type HintStage, hintSize, type ShareHint } from './stage-state.ts'

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
