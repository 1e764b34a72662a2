import type { Picture } from '#engine/image/picture.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { writeDeviceLetters } from '#engine/watermark/watermark-letters.ts'
import type { Box } from '#shared/media.ts'
import { drawLogo } from '#tools/engine/draw-logo.ts'
import {
  coverPage,
  designOf,
  type PageParams,
  paintPage,
  partInCell,
  pictureInCell,
  planPage,
} from '../engine/compose.ts'

interface Size {
  width: number
  height: number
}

/** Pictures are named by the keys under which they were sent. */
export interface PageOrder {
  kind: 'page'
  params: PageParams
  page: Size
  /** `size` is the size that `faces` refer to. */
  pictures: readonly { key: string; size: Size; faces: readonly Box[] }[]
  background: string | null
  logo: string | null
  sample: boolean
}

/** A `page` is answered with `PaintedPage`. */
export type WorkerMessage =
  | PageOrder
  | { kind: 'picture'; key: string; bitmap: ImageBitmap }
  | { kind: 'keep'; keys: readonly string[] }

export interface PaintedPage extends Size {
  pixels: ArrayBuffer
}

const pictures = new Map<string, Picture>()
/** Cached, so that moving one picture does not recompute the others. */
let cells = new Map<string, Picture>()

addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
  if (data.kind === 'picture') pictures.set(data.key, pixelsOf(data.bitmap))
  else if (data.kind === 'keep') for (const key of pictures.keys()) data.keys.includes(key) || pictures.delete(key)
  else {
    const page = paint(data)
    if (data.sample) writeDeviceLetters(page)
    const { width, height, data: rgba } = page
    const painted: PaintedPage = { width, height, pixels: rgba.buffer as ArrayBuffer }
    postMessage(painted, { transfer: [painted.pixels] })
  }
})

function paint({ params, page, pictures: placed, background, logo }: PageOrder): Picture {
  const design = designOf(params, placed.length)
  const plan = planPage(design, page)
  const made = new Map<string, Picture>()
  const once = (name: string, make: () => Picture) => {
    const known = made.get(name) ?? cells.get(name) ?? make()
    made.set(name, known)
    return known
  }
  const shown = plan.cells.map((cell, i) => {
    const index = pictureInCell(params, i)
    const one = placed[index]
    const picture = one && pictures.get(one.key)
    if (!picture) return undefined
    const part = scaled(partInCell(one.size, cell, params, index, one.faces), picture.width / one.size.width)
    return once(`${one.key} ${JSON.stringify([part, cell.width, cell.height])}`, () =>
      resamplePart(picture, part, cell.width, cell.height),
    )
  })
  const own = background === null ? undefined : pictures.get(background)
  const under = own && once(`${background} ${page.width}`, () => coverPage(own, page))
  cells = made
  const painted = paintPage(plan, design, shown, under)
  drawLogo(painted, params.logo, logo === null ? undefined : pictures.get(logo))
  return painted
}

/** The device may hold a reduced copy of the picture that is sent. */
function scaled(part: Box, factor: number): Box {
  if (factor === 1) return part
  return { x: part.x * factor, y: part.y * factor, width: part.width * factor, height: part.height * factor }
}

function pixelsOf(bitmap: ImageBitmap): Picture {
  const { width, height } = bitmap
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  context?.drawImage(bitmap, 0, 0)
  bitmap.close()
  const data = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray(4 * width * height)
  return { width, height, data }
}
