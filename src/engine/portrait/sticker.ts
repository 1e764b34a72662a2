import { borderDistance } from '../distance.ts'
import { boundsOf, clipBox, growBox } from '../geometry.ts'
import type { EngineHost } from '../host.ts'
import type { Picture, Plane } from '../picture.ts'
import { alphaOf, cropPicture } from '../pixels.ts'
import { createPlane } from '../plane.ts'

/**
 * A cut-out as a sticker: tight around what is opaque, with an even white border, in the middle of a transparent square of `side` pixels.
 * `border` is the border's width as a share of the side. Returns undefined when the cut-out is empty.
 */
export async function sticker(
  cutOut: Picture,
  host: EngineHost,
  { side, border = 0.022 }: { side: number; border?: number },
): Promise<Picture | undefined> {
  const alpha = alphaOf(cutOut)
  const bounds = alpha ? boundsOf(alpha, 0.5) : { x: 0, y: 0, width: cutOut.width, height: cutOut.height }
  const box = bounds && clipBox(growBox(bounds, 1), cutOut)
  if (!box) return undefined
  const rim = Math.max(2, Math.round(border * side))
  const room = side - 2 * (rim + 2)
  const scale = Math.min(room / box.width, room / box.height)
  const width = Math.max(1, Math.round(box.width * scale))
  const height = Math.max(1, Math.round(box.height * scale))
  const figure = await host.resize(cropPicture(cutOut, box), width, height)
  const [left, top] = [Math.floor((side - width) / 2), Math.floor((side - height) / 2)]
  const shape = createPlane(side, side)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const solid = (figure.data[4 * (y * width + x) + 3] as number) > 96
      shape.data[(top + y) * side + left + x] = solid ? 1 : 0
    }
  }
  return bordered(figure, left, top, shape, rim)
}

/** The figure over its white shape. */
function bordered(figure: Picture, left: number, top: number, shape: Plane, rim: number): Picture {
  const { width: side } = shape
  const away = borderDistance(shape)
  const data = new Uint8ClampedArray(side * side * 4)
  for (let i = 0; i < shape.data.length; i++) {
    const inside = (shape.data[i] as number) > 0.5
    const level = inside ? 1 : Math.min(1, Math.max(0, rim + 0.5 - (away[i] as number)))
    data.set([255, 255, 255, 255 * level], 4 * i)
  }
  for (let y = 0; y < figure.height; y++) {
    for (let x = 0; x < figure.width; x++) {
      const from = 4 * (y * figure.width + x)
      const to = 4 * ((top + y) * side + left + x)
      const alpha = (figure.data[from + 3] as number) / 255
      for (let c = 0; c < 3; c++) data[to + c] = 255 + alpha * ((figure.data[from + c] as number) - 255)
      data[to + 3] = Math.max(data[to + 3] as number, figure.data[from + 3] as number)
    }
  }
  return { width: side, height: side, data }
}
