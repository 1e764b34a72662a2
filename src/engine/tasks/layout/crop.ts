import { unionBox } from '#engine/image/geometry.ts'
import type { Size } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'
import { zoomLimits } from './page.ts'

/** `zoom` (1 to 4) enlarges beyond covering the cell; `x` and `y` (0 to 1) move edge to edge. */
export interface CellView {
  zoom: number
  x: number
  y: number
}

/** The part of a picture visible in its cell, in its pixels, not rounded. */
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

/** Vertical position without faces: slightly above the middle. */
const defaultHeight = 0.4

/**
 * Initial view: all faces, else as many of the largest as fit, eyes on the upper third; without
 * faces slightly above the middle. `faces` are in pixels, largest first.
 */
export function defaultCellView(picture: Size, cell: Size, faces: readonly Box[]): CellView {
  const { width, height } = visiblePart(picture, cell, { zoom: 1, x: 0, y: 0 })
  let shown: Box | undefined
  for (const face of faces) {
    const both = shown ? unionBox(shown, face) : face
    if (!shown || (both.width <= width && both.height <= height)) shown = both
  }
  const share = (wanted: number, free: number): number => (free > 0 ? Math.min(1, Math.max(0, wanted / free)) : 0.5)
  if (!shown) return { zoom: 1, x: 0.5, y: defaultHeight }
  const left = shown.x + shown.width / 2 - width / 2
  const eyes = shown.y + 0.4 * shown.height
  // Eyes on the upper third, but without cutting off a chin.
  const top = Math.max(eyes - height / 3, shown.y + 1.15 * shown.height - height)
  return {
    zoom: 1,
    x: share(left, picture.width - width),
    y: share(Math.min(top, shown.y - 0.15 * shown.height), picture.height - height),
  }
}
