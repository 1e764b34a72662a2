import { inverse, type Similarity, transform } from '#engine/image/geometry.ts'
import type { Size } from '../geometry.ts'
import { type CanvasPlacement, overlaySize } from './paint.ts'

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
