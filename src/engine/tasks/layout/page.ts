import type { Size } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'
import type { LayoutTemplate } from './templates.ts'

/** Page shapes: screen ratios as width and height, and paper in millimetres. */
export const pageShapes = {
  '1:1': { width: 1, height: 1 },
  '4:5': { width: 4, height: 5 },
  '9:16': { width: 9, height: 16 },
  '3:2': { width: 3, height: 2 },
  a4: { width: 210, height: 297, millimetres: true },
  '4r': { width: 102, height: 152, millimetres: true },
} as const satisfies Record<string, Size & { millimetres?: true }>
export type PageShape = keyof typeof pageShapes

export const zoomLimits = { min: 1, max: 4 } as const

export const printDpi = 300
const screenSide = 2048

/** In pixels: paper at `printDpi`, else a longer side of 2048; `turned` swaps the sides. */
export function pageSize(shape: PageShape, turned = false): Size {
  const { width, height, ...rest } = pageShapes[shape]
  const scale = 'millimetres' in rest ? printDpi / 25.4 : screenSide / Math.max(width, height)
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)]
  return turned ? { width: down, height: across } : { width: across, height: down }
}

/** In millimetres; undefined for screen shapes. */
export function paperSize(shape: PageShape, turned = false): Size | undefined {
  const { width, height, ...rest } = pageShapes[shape]
  if (!('millimetres' in rest)) return undefined
  return turned ? { width: height, height: width } : { width, height }
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
