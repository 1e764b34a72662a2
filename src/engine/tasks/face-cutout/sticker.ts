import type { EngineHost } from '#engine/host.ts'
import { solidPicture } from '#engine/image/composite.ts'
import { boundsOf, clipBox, growBox, wholeOf } from '#engine/image/geometry.ts'
import { borderDistance } from '#engine/image/morphology.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { alphaOf, cropPicture, emptyPicture, pastePicture } from '#engine/image/pixels.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { platforms } from '../../platforms.ts'

const { width: side, maxBytes } = platforms.sticker
/** The border's width as a share of the side. */
const border = 0.022
export const stickerEncoding = { format: 'webp', maxBytes } as const

/** Crops a cut-out, with an even white border, to a transparent square; undefined when empty. */
export async function createSticker(cutOut: Picture, host: EngineHost): Promise<Picture | undefined> {
  const alpha = alphaOf(cutOut)
  const bounds = alpha ? boundsOf(alpha, 0.5) : wholeOf(cutOut)
  const box = bounds && clipBox(growBox(bounds, 1), cutOut)
  if (!box) return undefined
  const rim = Math.max(2, Math.round(border * side))
  const room = side - 2 * (rim + 2)
  const scale = Math.min(room / box.width, room / box.height)
  const width = Math.max(1, Math.round(box.width * scale))
  const height = Math.max(1, Math.round(box.height * scale))
  const figure = await host.resize(cropPicture(cutOut, box), width, height)
  const [left, top] = [Math.floor((side - width) / 2), Math.floor((side - height) / 2)]
  const picture = emptyPicture(side, side)
  pastePicture(picture, figure, left, top)
  return addBorder(picture, rim)
}

const solid = 96 / 255

/**
 * Adds a border of `rim` pixels in a colour such as `#ffffff`, with hair smoothed over. The figure
 * needs at least that much transparent margin.
 */
export function addBorder(cutOut: Picture, rim: number, colour = '#ffffff'): Picture {
  const { width, height } = cutOut
  const shape = createPlane(width, height)
  for (let i = 0; i < shape.data.length; i++) shape.data[i] = (cutOut.data[4 * i + 3] as number) / 255 > solid ? 1 : 0
  const signed = borderDistance(shape)
  for (let i = 0; i < signed.length; i++) if (shape.data[i] === 1) signed[i] = -(signed[i] as number)
  const away = boxBlur({ width, height, data: signed }, Math.max(1, Math.round(rim / 4)))
  const border = solidPicture(width, height, colour)
  for (let i = 0; i < shape.data.length; i++) {
    const own = (cutOut.data[4 * i + 3] as number) / 255
    const level = Math.min(1, Math.max(0, rim + 0.5 - (away.data[i] as number)))
    const alpha = own + level * (1 - own)
    for (let c = 4 * i; c < 4 * i + 3; c++) {
      const under = border.data[c] as number
      border.data[c] = alpha > 0 ? under + (own / alpha) * ((cutOut.data[c] as number) - under) : under
    }
    border.data[4 * i + 3] = 255 * alpha
  }
  return border
}
