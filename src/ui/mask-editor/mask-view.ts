import { inverse, type Similarity, transform } from '#engine/image/geometry.ts'
import type { Size } from '../geometry.ts'
import { type Ground, overlaySize } from './paint.ts'

/** What is seen of a picture that is drawn on, where that is not all of it as it is. */
export interface MaskView {
  /** What is seen, in pixels of its own … */
  frame: Size
  /** … to which this brings the picture's. */
  place: Similarity
  /** Of several subjects the one that is seen: only its strokes show, and new ones are for it. */
  subject?: number | undefined
}

/**
 * How points and widths of a view, in shares of it, become those of the picture, and its canvas.
 */
export function viewOf(picture: Size, { frame, place }: MaskView) {
  const back = inverse(place)
  const longer = ({ width, height }: Size) => Math.max(width, height)
  const canvas = overlaySize(frame)
  const unit = canvas.width / frame.width
  const ground: Ground = {
    ...{ width: picture.width * place.scale * unit, height: picture.height * place.scale * unit },
    ...{ angle: place.angle, x: place.x * unit, y: place.y * unit },
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
