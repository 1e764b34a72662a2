import { unionBox } from '#engine/image/geometry.ts'
import type { Size } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'

export const layoutCounts = [4, 5, 6, 7, 8] as const
export type LayoutCount = (typeof layoutCounts)[number]

/** Boxes are shares of the page, in picture order. */
export interface LayoutTemplate {
  /** Stable id, e.g. `5-hero-left`. */
  id: string
  cells: readonly Box[]
}

/** Each string is a row of equal squares; equal letters form a cell, A is the first picture's. */
const drawings: Record<LayoutCount, Record<string, readonly string[]>> = {
  4: {
    grid: ['AB', 'CD'],
    'hero-left': ['AAB', 'AAC', 'AAD'],
    'hero-top': ['AAA', 'AAA', 'BCD'],
    columns: ['ABCD'],
    stairs: ['AAB', 'CDD'],
    pinwheel: ['AAB', 'CDB', 'CDB'],
  },
  5: {
    'hero-left': ['AABC', 'AADE'],
    'hero-top': ['AAAA', 'AAAA', 'BCDE'],
    'two-three': ['AAABBB', 'CCDDEE'],
    pinwheel: ['AAB', 'CDB', 'CEE'],
    'hero-centre': ['BAAC', 'DAAE'],
    bands: ['AAB', 'CCC', 'DEE'],
  },
  6: {
    grid: ['ABC', 'DEF'],
    'grid-tall': ['AB', 'CD', 'EF'],
    'hero-left': ['AAB', 'AAC', 'DEF'],
    'hero-right': ['BAA', 'CAA', 'DEF'],
    'two-four': ['AABB', 'AABB', 'CDEF'],
    stairs: ['AAB', 'CDD', 'EEF'],
  },
  7: {
    'hero-centre': ['BCCD', 'BAAD', 'EAAF', 'EGGF'],
    'three-four': ['AAAABBBBCCCC', 'DDDEEEFFFGGG'],
    'hero-left': ['AABC', 'AADE', 'AAFG'],
    'hero-top': ['AAAAAA', 'AAAAAA', 'BBCCDD', 'EEFFGG'],
    'two-three-two': ['AAABBB', 'CCDDEE', 'FFFGGG'],
    corner: ['AABC', 'AADE', 'FFGG'],
  },
  8: {
    grid: ['ABCD', 'EFGH'],
    'grid-tall': ['AB', 'CD', 'EF', 'GH'],
    'hero-corner': ['AAAB', 'AAAC', 'AAAD', 'EFGH'],
    'two-heroes': ['AABB', 'AABB', 'CDEF', 'GGHH'],
    'three-two-three': ['AABBCC', 'DDDEEE', 'FFGGHH'],
    'hero-centre': ['BCCD', 'EAAF', 'EAAF', 'GGHH'],
  },
}

/** Templates by number of pictures, plainest first. */
export const layoutTemplates = Object.fromEntries(
  layoutCounts.map((count) => [
    count,
    Object.entries(drawings[count]).map(([name, rows]) => ({ id: `${count}-${name}`, cells: readCells(rows) })),
  ]),
) as unknown as Readonly<Record<LayoutCount, readonly LayoutTemplate[]>>

/** The template with a name such as `hero-left`, or the plainest if there is none. */
export function templateFor(count: LayoutCount, name: string): LayoutTemplate {
  const templates = layoutTemplates[count]
  return templates.find(({ id }) => id === `${count}-${name}`) ?? (templates[0] as LayoutTemplate)
}

function readCells(rows: readonly string[]): Box[] {
  const [columns, lines] = [(rows[0] as string).length, rows.length]
  const bounds = new Map<string, { left: number; right: number; top: number; bottom: number }>()
  rows.forEach((row, y) => {
    Array.from(row).forEach((letter, x) => {
      const known = bounds.get(letter) ?? { left: x, right: x, top: y, bottom: y }
      bounds.set(letter, { ...known, left: Math.min(known.left, x), right: Math.max(known.right, x), bottom: y })
    })
  })
  return [...bounds]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { left, right, top, bottom }]) => ({
      x: left / columns,
      y: top / lines,
      width: (right + 1 - left) / columns,
      height: (bottom + 1 - top) / lines,
    }))
}

/** The swapped division must be this many times better, so that sketches and pages agree. */
const swapGain = 1.3

/**
 * The division of a page, with rows and columns swapped where its cells would be slivers otherwise.
 */
export function orientCells({ cells }: LayoutTemplate, page: Size): readonly Box[] {
  const swapped = cells.map(({ x, y, width, height }) => ({ x: y, y: x, width: height, height: width }))
  if (thinnest(swapped, page) <= swapGain * thinnest(cells, page)) return cells
  // Equal cells are read in rows again; a first, larger cell stays the first.
  const [first] = swapped
  const isGrid = swapped.every(({ width, height }) => width === first?.width && height === first.height)
  return isGrid ? swapped.toSorted((a, b) => a.y - b.y || a.x - b.x) : swapped
}

/** Shorter by longer side of the thinnest cell. */
function thinnest(cells: readonly Box[], page: Size): number {
  const ratios = cells.map(({ width, height }) => (width * page.width) / (height * page.height))
  return Math.min(...ratios.map((ratio) => Math.min(ratio, 1 / ratio)))
}

/**
 * Cells in whole pixels of a page of any size, so that previews match finished pages. `gap` is the
 * space around cells, as a share of the page's shorter side.
 */
export function placeCells(template: LayoutTemplate, page: Size, gap: number): Box[] {
  const space = gap * Math.min(page.width, page.height)
  const edge = (share: number, length: number, inner: number): number =>
    Math.round(space / 2 + share * (length - space) + inner * (space / 2))
  return orientCells(template, page).map((cell) => {
    const x = edge(cell.x, page.width, 1)
    const y = edge(cell.y, page.height, 1)
    return {
      x,
      y,
      width: Math.max(1, edge(cell.x + cell.width, page.width, -1) - x),
      height: Math.max(1, edge(cell.y + cell.height, page.height, -1) - y),
    }
  })
}

/** Corner radius in pixels: `radius` is 0 to 1 of half the shortest side of all cells. */
export function cornerRadius(cells: readonly Box[], radius: number): number {
  return radius * 0.5 * Math.min(...cells.flatMap(({ width, height }) => [width, height]))
}

export const zoomLimits = { min: 1, max: 4 } as const

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

export { type PageShape, pageSize, paperSize, printDpi } from './page.ts'
