import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { simplify } from './outline.ts'
import { type CanvasPlacement, type Paint, paintAll, paintStroke } from './paint.ts'
import type { Stroke, StrokeMode } from './strokes.ts'

/** Closer points, as a share of the picture, are not visible. */
const tolerance = 0.0008

/** Nothing passes through React until the stroke ends. */
interface Brush {
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

type Point = { x: number; y: number }

export interface LoupeHandle {
  /** `share` is the position on the picture, `client` the one in the window. */
  show: (share: Point, client: Point) => void
  hide: () => void
}

/** Side in CSS pixels, magnification, distance above the finger. */
const [side, magnified, above] = [120, 1.8, 96]

/** Shows the area that the finger covers; beside the finger where there is no room above. */
export function Loupe({
  ref,
  picture,
  layer,
  strokes,
  brush,
}: {
  ref: Ref<LoupeHandle>
  picture: ReactNode
  /** The zoomed and moved layer with picture and strokes. */
  layer: RefObject<HTMLElement | null>
  strokes: RefObject<HTMLCanvasElement | null>
  /** As a share of the layer's width. */
  brush: number
}) {
  const box = useRef<HTMLDivElement>(null)
  const inside = useRef<HTMLDivElement>(null)
  const copy = useRef<HTMLCanvasElement>(null)
  const ring = useRef<HTMLSpanElement>(null)
  const [used, setUsed] = useState(false)

  useImperativeHandle(ref, () => ({
    hide: () => box.current?.setAttribute('hidden', ''),
    show(share, client) {
      // The second copy of the picture is mounted only once the user draws by touch.
      if (!used) setUsed(true)
      const [own, drawn, stage] = [layer.current, strokes.current, box.current?.closest('.stage')]
      const frame = box.current?.offsetParent?.getBoundingClientRect()
      const context = copy.current?.getContext('2d')
      if (!(own && drawn && stage && frame && context && box.current && inside.current && ring.current)) {
        box.current?.removeAttribute('hidden')
        return
      }
      const { width, height } = own.getBoundingClientRect()
      const [left, top] = [side / 2 - share.x * width * magnified, side / 2 - share.y * height * magnified]
      inside.current.style.cssText = `width:${width * magnified}px;height:${height * magnified}px;transform:translate(${left}px,${top}px)`
      ring.current.style.width = `${brush * width * magnified}px`
      const [across, down] = [drawn.width / width / magnified, drawn.height / height / magnified]
      context.clearRect(0, 0, side, side)
      context.drawImage(drawn, -left * across, -top * down, side * across, side * down, 0, 0, side, side)
      const around = stage.getBoundingClientRect()
      const fits = client.y - above - side / 2 > around.top
      const aside = client.x > around.left + around.width / 2 ? -above : above
      const x = Math.min(around.right - side / 2, Math.max(around.left + side / 2, client.x + (fits ? 0 : aside)))
      const y = Math.max(around.top + side / 2, client.y - (fits ? above : 0))
      box.current.style.transform = `translate(${x - side / 2 - frame.left}px,${y - side / 2 - frame.top}px)`
      box.current.removeAttribute('hidden')
    },
  }))

  return (
    <div ref={box} hidden aria-hidden className="mask-loupe">
      <div ref={inside} className="absolute top-0 left-0 [&>img]:absolute [&>img]:inset-0 [&>img]:size-full">
        {used && picture}
      </div>
      <canvas ref={copy} width={side} height={side} className="absolute inset-0 size-full opacity-55" />
      <span ref={ring} className="mask-ring h-auto! aspect-square" />
    </div>
  )
}
