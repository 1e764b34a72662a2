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

/** Space of hair, ears and neck around a face's outline, as shares of its size. */
const headMargin = { side: 0.35, above: 0.3, below: 0.2 } as const

/** Enlargements tried in this order until no face is cut. */
const zoomSteps = [1, 1.1, 1.2, 1.3, 1.4, 1.5]

/**
 * Initial view: all faces, else as many of the largest as fit, eyes on the upper third; without
 * faces slightly above the middle. Enlarged only where covering the cell would cut a face. `faces`
 * are outlines in pixels, largest first.
 */
export function defaultCellView(picture: Size, cell: Size, faces: readonly Box[]): CellView {
  if (faces.length === 0) return { zoom: 1, x: 0.5, y: defaultHeight }
  let best: Crop | undefined
  for (const zoom of zoomSteps) {
    const crop = cropAround(picture, cell, zoom, faces)
    if (!best || crop.cuts < best.cuts) best = crop
    if (best.cuts === 0) break
  }
  return (best as Crop).view
}

interface Crop {
  view: CellView
  cuts: number
}

function cropAround(picture: Size, cell: Size, zoom: number, faces: readonly Box[]): Crop {
  const { width, height } = visiblePart(picture, cell, { zoom, x: 0, y: 0 })
  const shown = facesThatFit(faces, { width, height })
  const head = shown.map(headOf).reduce(unionBox)
  const face = shown.reduce(unionBox)
  const eyes = head.y + 0.4 * head.height
  // Eyes on the upper third, but without cutting off a chin.
  const top = Math.max(eyes - height / 3, head.y + 1.15 * head.height - height)
  const wanted = {
    x: face.x + face.width / 2 - width / 2,
    y: Math.min(top, head.y - 0.15 * head.height),
    width,
    height,
  }
  const part = moveOffFaces(wanted, picture, faces)
  const share = (start: number, free: number): number => (free > 0 ? Math.min(1, Math.max(0, start / free)) : 0.5)
  const view = { zoom, x: share(part.x, picture.width - width), y: share(part.y, picture.height - height) }
  return { view, cuts: faces.filter((one) => stateOf(one, part, picture) === 'cut').length }
}

function facesThatFit(faces: readonly Box[], { width, height }: Size): Box[] {
  const shown: Box[] = []
  for (const face of faces) {
    const all = [...shown, face].reduce(unionBox)
    if (shown.length === 0 || (all.width <= width && all.height <= height)) shown.push(face)
  }
  return shown
}

function headOf({ x, y, width, height }: Box): Box {
  const { side, above, below } = headMargin
  return {
    x: x - side * width,
    y: y - above * height,
    width: (1 + 2 * side) * width,
    height: (1 + above + below) * height,
  }
}

/** Weights of a face's area: cut itself, cut in its hair, and as the largest, which stays whole. */
const worths = { cut: -50, headWhole: 0.2, headCut: -0.6, largest: 101 } as const

/** Rounding must not turn a face at the very edge into a cut one. */
const slack = 1e-6

/**
 * Moves a part of the picture to where it cuts no face or the least of them and shows the most of
 * them whole, as little as possible. The largest face stays inside if it fits.
 */
function moveOffFaces(wanted: Box, picture: Size, faces: readonly Box[]): Box {
  const { width, height } = wanted
  const heads = faces.map(headOf)
  const worth = (part: Box) =>
    faces.reduce((sum, face, i) => {
      const area = face.width * face.height
      const [itself, head] = [stateOf(face, part, picture), stateOf(heads[i] as Box, part, picture)]
      const whole = i === 0 ? worths.largest : 1
      const ofFace = itself === 'whole' ? whole : itself === 'cut' ? worths.cut : 0
      return sum + area * (ofFace + (head === 'whole' ? worths.headWhole : head === 'cut' ? worths.headCut : 0))
    }, 0)
  const away = (part: Box) => Math.hypot(part.x - wanted.x, part.y - wanted.y)
  const starts = (from: number, length: number, whole: number, edges: number[]) => [
    ...new Set(
      [from, ...edges, ...edges.map((at) => at - length)].map((at) => Math.min(whole - length, Math.max(0, at))),
    ),
  ]
  const boxes = [...faces, ...heads]
  const across = starts(
    wanted.x,
    width,
    picture.width,
    boxes.flatMap((box) => [box.x, box.x + box.width]),
  )
  const down = starts(
    wanted.y,
    height,
    picture.height,
    boxes.flatMap((box) => [box.y, box.y + box.height]),
  )
  const parts = down.flatMap((y) => across.map((x) => ({ x, y, width, height })))
  return parts
    .map((part) => ({ part, worth: worth(part), away: away(part) }))
    .reduce((best, one) => ((one.worth - best.worth || best.away - one.away) > 0 ? one : best)).part
}

/** Edges of the picture itself cut nothing. */
function stateOf(face: Box, part: Box, picture: Size): 'whole' | 'cut' | 'outside' {
  const [right, bottom] = [part.x + part.width, part.y + part.height]
  const [faceRight, faceBottom] = [face.x + face.width, face.y + face.height]
  const isOutside =
    faceRight <= part.x + slack || face.x >= right - slack || faceBottom <= part.y + slack || face.y >= bottom - slack
  if (isOutside) return 'outside'
  const isWhole =
    (face.x >= part.x - slack || part.x <= slack) &&
    (faceRight <= right + slack || right >= picture.width - slack) &&
    (face.y >= part.y - slack || part.y <= slack) &&
    (faceBottom <= bottom + slack || bottom >= picture.height - slack)
  return isWhole ? 'whole' : 'cut'
}

export { type PageShape, pageSize, paperSize, printDpi } from './page.ts'
