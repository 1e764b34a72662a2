import { inverse, type Similarity, transform } from '#engine/image/geometry.ts'
import type { Size } from '../geometry.ts'
import type { Stroke } from './strokes.ts'

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

export interface Paint {
  keep: string
  /** Null: erasing removes. */
  erase: string | null
}

/** Angle in radians. */
export interface CanvasPlacement extends Size {
  angle: number
  x: number
  y: number
}

/** Longer side of the stroke canvas, independent of the picture's size. */
const overlaySide = 1024

/** Never larger than the picture. */
export function overlaySize({ width, height }: Size): Size {
  const scale = Math.min(1, overlaySide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

function begin(context: Context, { mode, size }: Pick<Stroke, 'mode' | 'size'>, ground: CanvasPlacement, paint: Paint) {
  const [cos, sin] = [Math.cos(ground.angle), Math.sin(ground.angle)]
  context.setTransform(cos, sin, -sin, cos, ground.x, ground.y)
  const colour = mode === 'keep' ? paint.keep : paint.erase
  context.globalCompositeOperation = colour === null ? 'destination-out' : 'source-over'
  context.strokeStyle = colour ?? '#000'
  context.fillStyle = colour ?? '#000'
  context.lineWidth = Math.max(1, size * Math.max(ground.width, ground.height))
  context.lineCap = 'round'
  context.lineJoin = 'round'
}

/** Touches only the pixels from point `from` on. */
export function paintStroke(context: Context, stroke: Stroke, ground: CanvasPlacement, paint: Paint, from = 0): void {
  const { points, shape } = stroke
  if (points.length < 2) return
  begin(context, stroke, ground, paint)
  const start = Math.max(0, from - 1)
  context.beginPath()
  context.moveTo((points[2 * start] as number) * ground.width, (points[2 * start + 1] as number) * ground.height)
  // A line without length is a dot.
  if (points.length === 2) context.lineTo((points[0] as number) * ground.width, (points[1] as number) * ground.height)
  for (let i = start + 1; i < points.length / 2; i++) {
    context.lineTo((points[2 * i] as number) * ground.width, (points[2 * i + 1] as number) * ground.height)
  }
  if (shape === 'area') {
    context.closePath()
    context.fill()
  } else context.stroke()
}

export function paintAll(context: Context, strokes: readonly Stroke[], ground: CanvasPlacement, paint: Paint): void {
  context.globalCompositeOperation = 'source-over'
  context.resetTransform()
  context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  for (const stroke of strokes) paintStroke(context, stroke, ground, paint)
}

export interface MaskView {
  frame: Size
  /** From picture to frame. */
  placement: Similarity
  /** Only this subject's strokes are shown, and new ones belong to it. */
  subject?: number | undefined
}

/** Converts points and widths between a view (in shares) and the picture. */
export function viewOf(picture: Size, { frame, placement }: MaskView) {
  const back = inverse(placement)
  const longer = ({ width, height }: Size) => Math.max(width, height)
  const canvas = overlaySize(frame)
  const unit = canvas.width / frame.width
  const ground: CanvasPlacement = {
    width: picture.width * placement.scale * unit,
    height: picture.height * placement.scale * unit,
    angle: placement.angle,
    x: placement.x * unit,
    y: placement.y * unit,
  }
  return {
    canvas,
    ground,
    width: (share: number) => (share * longer(frame) * back.scale) / longer(picture),
    points: (shares: readonly number[]) =>
      shares.flatMap((_, i) => {
        if (i % 2 === 1) return []
        const [across, down] = [shares[i] as number, shares[i + 1] as number]
        const { x, y } = transform(back, { x: across * frame.width, y: down * frame.height })
        return [x / picture.width, y / picture.height]
      }),
  }
}
