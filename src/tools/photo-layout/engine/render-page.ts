import type { Box } from '#contract/media.ts'
import type { Picture } from '#engine/image/picture.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { type LayoutCount, templateFor } from '#engine/tasks/layout/index.ts'
import type { PhotoLayoutParams } from '../contract/definition.ts'
import { cellPart, coverPage, type PageDesign, paintPage, planPage } from './compose.ts'

export type PageParams = Omit<PhotoLayoutParams, 'pdf' | 'format' | 'shape' | 'turned'>

interface Size {
  width: number
  height: number
}

/** The design that the parameters mean for a number of pictures. */
export function designOf(params: PageParams, count: number): PageDesign {
  const { template, gap, radius, background, text, textColor, textPlace } = params
  const color = background.type === 'color' ? background.color : '#ffffff'
  return { template: templateFor(count as LayoutCount, template), gap, radius, color, text, textColor, textPlace }
}

/** Which picture lies in a cell. */
export const pictureInCell = ({ order }: Pick<PageParams, 'order'>, cell: number): number => order[cell] ?? cell

/**
 * The finished page at a size in pixels. The device's preview is made by the same lines, so both
 * are equal at the same size. `faces` in pixels of their pictures.
 */
export function renderPage(
  { pictures, background, faces }: { pictures: readonly Picture[]; background?: Picture | undefined; faces: Box[][] },
  params: PageParams,
  page: Size,
): Picture {
  const design = designOf(params, pictures.length)
  const plan = planPage(design, page)
  const cells = plan.cells.map((cell, i) => {
    const index = pictureInCell(params, i)
    const picture = pictures[index]
    return picture && cellPixels(picture, partInCell(picture, cell, params, index, faces[index] ?? []), cell)
  })
  const under = params.background.type === 'image' && background ? coverPage(background, page) : undefined
  return paintPage(plan, design, cells, under)
}

/** The part of a picture that its cell shows. */
export function partInCell(
  picture: Size,
  cell: Size,
  { views }: PageParams,
  index: number,
  faces: readonly Box[],
): Box {
  return cellPart(picture, cell, views[index] ?? null, faces)
}

/** A cell's pixels. */
export function cellPixels(picture: Picture, part: Box, cell: Size): Picture {
  return resamplePart(picture, part, cell.width, cell.height)
}
