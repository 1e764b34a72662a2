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
  const whole = uncut(faces)
  const share = (wanted: number, free: number): number => (free > 0 ? Math.min(1, Math.max(0, wanted / free)) : 0.5)
  if (!shown) return { zoom: 1, x: 0.5, y: defaultHeight }
  const middle = shown.x + shown.width / 2 - width / 2
  const eyes = shown.y + 0.4 * shown.height
  // Eyes on the upper third, but without cutting off a chin.
  const top = Math.max(eyes - height / 3, shown.y + 1.15 * shown.height - height)
  const left = whole(middle, width, picture.width, 'x')
  const upper = Math.min(top, shown.y - 0.15 * shown.height)
  const down = whole(upper, height, picture.height, 'y')
  return { zoom: 1, x: share(left, picture.width - width), y: share(down, picture.height - height) }
}

/** Space kept around a face, as a share of its size. */
const faceMargin = 0.08

/** A face cut by an edge is this many times worse than one of its size outside. */
const cutPenalty = 3
/** Weight of the largest face, which no other one outweighs. */
const largestWorth = 1 + 2 * cutPenalty
/** Weight of the space around faces. */
const marginWorth = 0.2

/**
 * Moves a window along an axis to where it shows the most of the faces' area whole and cuts the
 * least, as little as possible. The largest face stays inside if it fits.
 */
function uncut(faces: readonly Box[]) {
  return (wanted: number, length: number, whole: number, axis: 'x' | 'y'): number => {
    const rangesWith = (margin: number) =>
      faces.map((face) => {
        const size = axis === 'x' ? face.width : face.height
        return {
          from: face[axis] - margin * size,
          to: face[axis] + (1 + margin) * size,
          area: face.width * face.height,
        }
      })
    const [tight, wide] = [rangesWith(0), rangesWith(faceMargin)]
    const limit = (at: number) => Math.min(whole - length, Math.max(0, at))
    const first = limit(wanted)
    const sumOver = (ranges: typeof tight, at: number, largest: number) => {
      let sum = 0
      for (const [i, { from, to, area }] of ranges.entries()) {
        const isWhole = (from >= at || at === 0) && (to <= at + length || at + length === whole)
        const isOutside = to <= at || from >= at + length
        if (isWhole) sum += i === 0 ? largest * area : area
        else if (!isOutside) sum -= cutPenalty * area
      }
      return sum
    }
    const worth = (at: number) => sumOver(tight, at, largestWorth) + marginWorth * sumOver(wide, at, 1)
    const others = [...tight, ...wide].flatMap(({ from, to }) => [from, to, from - length, to - length]).map(limit)
    return [first, ...others].reduce((best, at) => {
      const better = worth(at) - worth(best) || Math.abs(best - first) - Math.abs(at - first)
      return better > 0 ? at : best
    })
  }
}
