import type { Box } from '#contract/media.ts'
import { unionBox } from '#engine/image/geometry.ts'
import type { Size } from '#engine/image/picture.ts'
import { zoomLimits } from './page.ts'

/**
 * How a picture lies in its cell: enlarged by `zoom` (1 to 4) beyond what covers the cell, and
 * moved; 0, 0 to 1, 1 from edge to edge.
 */
export interface CellView {
  zoom: number
  x: number
  y: number
}

/**
 * The part of a picture that its cell shows, in its pixels, not rounded; it has the cell's
 * proportions.
 */
export function visiblePart(picture: Size, cell: Size, view: CellView): Box {
  const zoom = Math.min(zoomLimits.max, Math.max(zoomLimits.min, view.zoom))
  const scale = Math.max(cell.width / picture.width, cell.height / picture.height) * zoom
  const width = cell.width / scale
  const height = cell.height / scale
  return {
    x: Math.min(1, Math.max(0, view.x)) * (picture.width - width),
    y: Math.min(1, Math.max(0, view.y)) * (picture.height - height),
    width,
    height,
  }
}

/** Without faces people look a little above the middle. */
const restingHeight = 0.4

/**
 * The view that shows a picture best without anybody's help: all its faces where they fit, else as
 * many of the largest ones as fit, their eyes at the upper third; without faces a little above the
 * middle. `faces` in pixels, the largest first.
 */
export function bestView(picture: Size, cell: Size, faces: readonly Box[]): CellView {
  const { width, height } = visiblePart(picture, cell, { zoom: 1, x: 0, y: 0 })
  let shown: Box | undefined
  for (const face of faces) {
    const both = shown ? unionBox(shown, face) : face
    if (!shown || (both.width <= width && both.height <= height)) shown = both
  }
  const share = (wanted: number, free: number): number => (free > 0 ? Math.min(1, Math.max(0, wanted / free)) : 0.5)
  if (!shown) return { zoom: 1, x: 0.5, y: restingHeight }
  const left = shown.x + shown.width / 2 - width / 2
  const eyes = shown.y + 0.4 * shown.height
  // The upper third for the eyes, but never a chin cut off for it.
  const top = Math.max(eyes - height / 3, shown.y + 1.15 * shown.height - height)
  return {
    zoom: 1,
    x: share(left, picture.width - width),
    y: share(Math.min(top, shown.y - 0.15 * shown.height), picture.height - height),
  }
}
