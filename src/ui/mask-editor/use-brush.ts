import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { type CanvasPlacement, type Paint, paintAll, paintStroke } from './paint.ts'
import { simplify } from './simplify.ts'
import type { Stroke, StrokeMode } from './strokes.ts'

/** Closer points, as a share of the picture, are not visible. */
const tolerance = 0.0008

/** Nothing passes through React until the stroke ends. */
export interface Brush {
  begin(mode: StrokeMode, size: number, x: number, y: number): void
  /** Alternating x and y, as shares of the picture. */
  extend(points: readonly number[]): void
  /** Null if no stroke was begun. */
  end(): Stroke | null
  cancel(): void
  readonly drawing: boolean
}

export function useBrush(
  canvas: RefObject<HTMLCanvasElement | null>,
  strokes: readonly Stroke[],
  ground: CanvasPlacement,
  paint: Paint,
): Brush {
  const current = useRef<(Stroke & { points: number[] }) | null>(null)
  const painted = useRef<{ strokes: readonly Stroke[]; how: string }>({ strokes: [], how: '' })
  const context = () => canvas.current?.getContext('2d', { desynchronized: true }) ?? null

  // A new position or colour makes the canvas outdated, a new size clears it.
  const how = JSON.stringify([ground, paint])
  const repaint = useEffectEvent(() => {
    const target = context()
    const last = strokes.at(-1)
    // A stroke that has just ended is already on the canvas.
    const { strokes: known, how: before } = painted.current
    const oneMore = strokes.length === known.length + 1 && known.every((stroke, i) => stroke === strokes[i])
    painted.current = { strokes, how }
    if (!target) return
    if (last && oneMore && how === before) paintStroke(target, last, ground, paint)
    else paintAll(target, strokes, ground, paint)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    repaint()
  }, [strokes, how])

  const brush: Brush = {
    get drawing() {
      return current.current !== null
    },
    begin(mode, width, x, y) {
      current.current = { mode, shape: 'line', size: width, points: [x, y] }
      const target = context()
      if (target) paintStroke(target, current.current, ground, paint)
    },
    extend(points) {
      const stroke = current.current
      if (!stroke) return
      const from = stroke.points.length / 2
      stroke.points.push(...points)
      const target = context()
      if (target) paintStroke(target, stroke, ground, paint, from)
    },
    end() {
      const stroke = current.current
      current.current = null
      return stroke && { ...stroke, points: simplify(stroke.points, tolerance) }
    },
    cancel() {
      if (!current.current) return
      current.current = null
      const target = context()
      if (target) paintAll(target, painted.current.strokes, ground, paint)
    },
  }
  return brush
}
