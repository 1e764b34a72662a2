import { solidPicture } from '#engine/image/composite.ts'
import { wholeOf } from '#engine/image/geometry.ts'
import type { Picture, Size } from '#engine/image/picture.ts'
import { blendPicture } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { capitalHeight, textCoverage, textWidth } from '#engine/image/text.ts'
import {
  cornerRadius,
  defaultCellView,
  type LayoutCount,
  type LayoutTemplate,
  placeCells,
  templateFor,
  visiblePart,
} from '#engine/tasks/layout/index.ts'
import type { Box } from '#shared/media.ts'
import { drawLogo } from '#tools/engine/draw-logo.ts'
import type { PhotoLayoutParams } from '../contract/definition.ts'

interface PageDesign {
  template: LayoutTemplate
  /** Share of the page's shorter side. */
  gap: number
  /** Between 0 and 1; see `cornerRadius`. */
  radius: number
  /** sRGB, such as `#ffffff`; a background picture covers it. */
  color: string
  text: string
  textColor: string
  textPlace: 'top' | 'bottom'
}

/** Share of the page's shorter side. */
const textStrip = 0.09
const textSize = 0.62

interface PagePlan {
  page: Size
  cells: Box[]
  radius: number
  strip?: Box
}

export function planPage({ template, gap, radius, text, textPlace }: PageDesign, page: Size): PagePlan {
  const shorter = Math.min(page.width, page.height)
  const height = text.trim() === '' ? 0 : Math.round(textStrip * shorter)
  const space = gap * shorter
  const top = textPlace === 'top' ? height : 0
  // Gaps are shares of the shorter side; the strip must not change them.
  const rest = { width: page.width, height: page.height - height }
  const cells = placeCells(template, rest, space / Math.min(rest.width, rest.height)).map((cell) => ({
    ...cell,
    y: cell.y + top,
  }))
  const plan = { page, cells, radius: cornerRadius(cells, radius) }
  if (height === 0) return plan
  // The text is centred over the strip and the gap that follows it.
  const margin = Math.round(space / 2)
  const y = textPlace === 'top' ? margin : page.height - height - margin
  return { ...plan, strip: { x: 0, y, width: page.width, height } }
}

/**
 * Cells have exactly their size (`resamplePart`); missing ones stay empty. Plain arithmetic, so
 * that previews of the same size are equal.
 */
export function paintPage(
  plan: PagePlan,
  design: PageDesign,
  cells: readonly (Picture | undefined)[],
  background?: Picture,
): Picture {
  const { page, radius, strip } = plan
  const picture = solidPicture(page.width, page.height, design.color)
  if (background) paintCell(picture, background, wholeOf(page), 0)
  plan.cells.forEach((box, i) => {
    const cell = cells[i]
    if (cell) paintCell(picture, cell, box, radius)
  })
  if (strip) paintText(picture, design, strip)
  return picture
}

export function coverPage(picture: Picture, page: Size): Picture {
  const part = visiblePart(picture, page, { zoom: 1, x: 0.5, y: 0.5 })
  return resamplePart(picture, part, page.width, page.height)
}

function paintCell(page: Picture, cell: Picture, box: Box, radius: number): void {
  const { data } = page
  for (let y = 0; y < box.height; y++) {
    const inner = radius - Math.min(y + 0.5, box.height - y - 0.5)
    for (let x = 0; x < box.width; x++) {
      const from = 4 * (y * box.width + x)
      const to = 4 * ((box.y + y) * page.width + box.x + x)
      let cover = (cell.data[from + 3] as number) / 255
      if (inner > 0) {
        const side = radius - Math.min(x + 0.5, box.width - x - 0.5)
        if (side > 0) cover *= Math.min(1, Math.max(0, radius + 0.5 - Math.sqrt(inner * inner + side * side)))
      }
      if (cover === 0) continue
      for (let c = 0; c < 3; c++) {
        const under = data[to + c] as number
        data[to + c] = under + cover * ((cell.data[from + c] as number) - under)
      }
    }
  }
}

function paintText(page: Picture, { text, textColor }: PageDesign, strip: Box): void {
  const line = text.trim()
  const wide = textWidth(line)
  const size = Math.min(textSize * strip.height, (0.92 * strip.width) / wide)
  const coverage = textCoverage(line, {
    width: strip.width,
    height: strip.height,
    left: (strip.width - wide * size) / 2,
    baseline: (strip.height + capitalHeight * size) / 2,
    size,
  })
  const rows = page.data.subarray(4 * strip.y * page.width)
  blendPicture({ ...page, data: rows }, solidPicture(strip.width, strip.height, textColor), coverage)
}

export type PageParams = Omit<PhotoLayoutParams, 'pdf' | 'format' | 'shape' | 'turned'>

export function designOf(params: PageParams, count: number): PageDesign {
  const { template, gap, radius, background, text, textColor, textPlace } = params
  const color = background.type === 'color' ? background.color : '#ffffff'
  return { template: templateFor(count as LayoutCount, template), gap, radius, color, text, textColor, textPlace }
}

export const pictureInCell = ({ order }: Pick<PageParams, 'order'>, cell: number): number => order[cell] ?? cell

/**
 * Runs on the device too, so that previews are equal at the same size. `faces` are in pixels of
 * their pictures.
 */
export function renderPage(
  {
    pictures,
    background,
    logo,
    faces,
  }: {
    pictures: readonly Picture[]
    background?: Picture | undefined
    logo?: Picture | undefined
    faces: Box[][]
  },
  params: PageParams,
  page: Size,
): Picture {
  const design = designOf(params, pictures.length)
  const plan = planPage(design, page)
  const cells = plan.cells.map((cell, i) => {
    const index = pictureInCell(params, i)
    const picture = pictures[index]
    const part = picture && partInCell(picture, cell, params, index, faces[index] ?? [])
    return part && resamplePart(picture, part, cell.width, cell.height)
  })
  const under = params.background.type === 'image' && background ? coverPage(background, page) : undefined
  const painted = paintPage(plan, design, cells, under)
  drawLogo(painted, params.logo, logo)
  return painted
}

/** As set by the user, or around the faces (boxes in pixels of the picture, largest first). */
export function partInCell(
  picture: Size,
  cell: Size,
  { views }: PageParams,
  index: number,
  faces: readonly Box[],
): Box {
  return visiblePart(picture, cell, views[index] ?? defaultCellView(picture, cell, faces))
}
