import { boundsOf, growBox } from '#engine/image/geometry.ts'
import { isMatte, type Matte, type Plane } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'

/** Alpha below which a matte is considered empty. */
export const minVisibleAlpha = (matte: Plane | Matte): number => (isMatte(matte) ? 0.05 * 255 : 0.05)

/**
 * Whole-pixel box of a ratio (width by height) around the subject, with a margin as a share of the
 * longer side of its box. A subject cut off by the photograph's lower edge is cut off by the
 * frame's too, unless only a sliver is missing. Undefined without a subject; may exceed the
 * photograph unless `bounded`.
 */
export function frameSubject(
  matte: Plane | Matte,
  { ratio, margin, bounded = false }: { ratio: number; margin: number; bounded?: boolean },
): Box | undefined {
  const bounds = boundsOf(matte, minVisibleAlpha(matte))
  if (!bounds) return undefined
  const space = margin * Math.max(bounds.width, bounds.height)
  const grown = growBox(bounds, space)
  const cut = bounds.y + bounds.height >= matte.height - 1 && !closesAbove(matte, bounds)
  const size = { width: grown.width, height: grown.height - (cut ? space : 0) }
  const wide = Math.max(size.width, size.height * ratio)
  const scale = bounded ? Math.min(1, matte.width / wide, (matte.height * ratio) / wide) : 1
  const [width, height] = [Math.floor(wide * scale), Math.floor((wide / ratio) * scale)]
  const within = (at: number, length: number, whole: number) =>
    Math.round(bounded ? Math.min(whole - length, Math.max(0, at)) : at)
  return {
    x: within(grown.x + (size.width - width) / 2, width, matte.width),
    y: within(cut ? matte.height - height : grown.y + (size.height - height) / 2, height, matte.height),
    width,
    height,
  }
}

/**
 * True if the outline narrows towards the lower edge as a round thing does that lacks about a
 * hundredth of its height: an ellipse has 0.39 of the width that it has 6 % higher.
 */
function closesAbove(matte: Plane | Matte, { y, height }: Box): boolean {
  const widthAt = (row: number) => {
    const start = row * matte.width
    return matte.data.subarray(start, start + matte.width).filter((alpha) => alpha > 10 * minVisibleAlpha(matte)).length
  }
  const last = Math.min(matte.height, y + height) - 1
  return widthAt(last) < 0.45 * widthAt(Math.round(last - 0.06 * height))
}
