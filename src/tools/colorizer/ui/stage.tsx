import { useLingui } from '@lingui/react/macro'
import { useGesture } from '@use-gesture/react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { StageProps } from '#tools/ui/page.ts'
import { arrowSteps, insidePicture } from '#ui/arrow-keys.ts'
import { simplify } from '#ui/mask-editor/simplify.ts'
import type { ColorizerParams } from '../contract/definition.ts'
import { addHint, type HintStage, hintSize } from './stage-state.ts'

/**
 * Colours put on the picture: a tap makes a dot, a finger that moves a line; by keyboard arrows
 * move the spot and space puts a dot.
 */
export function HintCanvas({ picture, size, state, onChange }: StageProps<HintStage, ColorizerParams>) {
  const { t } = useLingui()
  const area = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<readonly number[]>([])
  const [spot, setSpot] = useState({ x: 0.5, y: 0.5, shown: false })
  const longer = Math.max(size.width, size.height)
  const shareOf = ([clientX, clientY]: readonly [number, number]): [number, number] => {
    const box = area.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return [insidePicture((clientX - box.left) / box.width), insidePicture((clientY - box.top) / box.height)]
  }
  const gestures = useGesture(
    {
      onDrag: ({ first, last, xy, memo }) => {
        const points = [...(first || !memo ? [] : (memo as number[])), ...shareOf(xy)]
        setDrawing(last ? [] : points)
        if (last) onChange((now) => addHint(now, simplify(points, 0.002)))
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
        x: insidePicture(x + step * arrow[0]),
        y: insidePicture(y + step * arrow[1]),
        shown: true,
      }))
    } else if (event.key === ' ' || event.key === 'Enter') onChange((now) => addHint(now, [spot.x, spot.y]))
    else if (event.key === 'Backspace' || (event.key === 'z' && (event.ctrlKey || event.metaKey))) {
      onChange((now) => ({ ...now, hints: now.hints.slice(0, -1) }))
    } else return
    event.preventDefault()
  }

  const line = (points: readonly number[]) => {
    const pairs = points.map((share, i) => (share * (i % 2 === 0 ? size.width : size.height)).toFixed(1))
    // A line to itself is a dot.
    return `M${pairs.slice(0, 2).join(' ')}L${pairs.join(' ')}`
  }
  const shown =
    drawing.length > 0 ? [...state.hints, { color: state.color, size: hintSize, points: drawing }] : state.hints
  return (
    <div
      ref={area}
      {...gestures()}
      role="application"
      aria-label={t`Area petunjuk warna. Panah menggerakkan titik, spasi menaruh warna, hapus mengurungkan.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is drawn on by keys
      tabIndex={0}
      className="absolute inset-0 cursor-crosshair touch-none select-none *:pointer-events-none *:absolute *:inset-0 *:size-full"
      onKeyDown={onKeyDown}
    >
      <div className="*:pointer-events-none *:absolute *:inset-0 *:size-full">{picture}</div>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden="true">
        {shown.map(({ color, size: wide, points }) => (
          <g key={`${color}${points.join()}`} fill="none" strokeLinecap="round" strokeLinejoin="round">
            <path d={line(points)} stroke="#fff" strokeWidth={(wide + 0.008) * longer} />
            <path d={line(points)} stroke={color} strokeWidth={wide * longer} />
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
