import type { EngineHost } from './host.ts'
import type { Picture, Plane } from './picture.ts'
import { colourPlanes, fitWithin } from './pixels.ts'
import { boxBlur, createPlane, sampling, shrink } from './plane.ts'

const workSide = 256

/**
 * The subject's own colours where it is translucent, so that no halo of the old background stays: blur fusion (Forte 2021), its blurs taken
 * at a reduced size and its last step in the full picture. Pixels with alpha 1 are untouched; those with alpha 0 become black.
 * Returns RGBA with the matte as alpha.
 */
export async function cutOut(picture: Picture, matte: Plane, host: EngineHost): Promise<Picture> {
  const { width, height } = fitWithin(picture, workSide)
  const small = await host.resize(picture, width, height)
  const { front, back } = fuse(small, shrink(matte, width, height))
  return unmix(picture, matte, front, back)
}

type Colours = [Plane, Plane, Plane]

/** Smooth estimates of the subject's and the background's colours at the size of the matte, each 0 to 1. */
export function fuse(picture: Picture, matte: Plane): { front: Colours; back: Colours } {
  const image = colourPlanes(picture)
  let front = image
  let back = image
  const scale = Math.max(picture.width, picture.height) / workSide
  for (const radius of [20, 1]) {
    const reach = Math.max(1, Math.round(radius * scale))
    const share = boxBlur(matte, reach)
    const fused = image.map((channel, c) =>
      fuseChannel(channel, front[c] as Plane, back[c] as Plane, matte, share, reach),
    )
    front = fused.map((pair) => pair.front) as Colours
    back = fused.map((pair) => pair.back) as Colours
  }
  return { front, back }
}

function fuseChannel(
  image: Plane,
  front: Plane,
  back: Plane,
  matte: Plane,
  share: Plane,
  radius: number,
): { front: Plane; back: Plane } {
  const { width, height } = image
  const weightedFront = createPlane(width, height)
  const weightedBack = createPlane(width, height)
  const count = image.data.length
  for (let i = 0; i < count; i++) {
    const alpha = matte.data[i] as number
    weightedFront.data[i] = alpha * (front.data[i] as number)
    weightedBack.data[i] = (1 - alpha) * (back.data[i] as number)
  }
  const meanFront = boxBlur(weightedFront, radius)
  const meanBack = boxBlur(weightedBack, radius)
  for (let i = 0; i < count; i++) {
    const alpha = matte.data[i] as number
    const weight = share.data[i] as number
    const f = weight > 1e-4 ? (meanFront.data[i] as number) / weight : (front.data[i] as number)
    const b = 1 - weight > 1e-4 ? (meanBack.data[i] as number) / (1 - weight) : (back.data[i] as number)
    const rest = (image.data[i] as number) - alpha * f - (1 - alpha) * b
    weightedFront.data[i] = Math.min(Math.max(f + alpha * rest, 0), 1)
    weightedBack.data[i] = Math.min(Math.max(b + (1 - alpha) * rest, 0), 1)
  }
  return { front: weightedFront, back: weightedBack }
}

function unmix(picture: Picture, matte: Plane, front: Colours, back: Colours): Picture {
  const { width, height } = picture
  const data = new Uint8ClampedArray(width * height * 4)
  const columns = sampling(front[0].width, width)
  const rows = sampling(front[0].height, height)
  const stride = front[0].width
  for (let y = 0, i = 0; y < height; y++) {
    const above = (rows.index[y] as number) * stride
    const below = Math.min(above + stride, (front[0].height - 1) * stride)
    const v = rows.weight[y] as number
    for (let x = 0; x < width; x++, i++) {
      const level = Math.round((matte.data[i] as number) * 255)
      if (level === 0) continue
      const at = 4 * i
      data[at + 3] = level
      if (level === 255) {
        data[at] = picture.data[at] as number
        data[at + 1] = picture.data[at + 1] as number
        data[at + 2] = picture.data[at + 2] as number
        continue
      }
      const alpha = level / 255
      const left = columns.index[x] as number
      const right = left + 1 < stride ? left + 1 : left
      const u = columns.weight[x] as number
      for (let c = 0; c < 3; c++) {
        const f = between((front[c] as Plane).data, above, below, left, right, u, v)
        const b = between((back[c] as Plane).data, above, below, left, right, u, v)
        const seen = (picture.data[at + c] as number) / 255
        data[at + c] = 255 * (f + alpha * (seen - alpha * f - (1 - alpha) * b))
      }
    }
  }
  return { width, height, data }
}

function between(
  plane: Float32Array,
  above: number,
  below: number,
  left: number,
  right: number,
  u: number,
  v: number,
): number {
  const top = (plane[above + left] as number) * (1 - u) + (plane[above + right] as number) * u
  const bottom = (plane[below + left] as number) * (1 - u) + (plane[below + right] as number) * u
  return top + (bottom - top) * v
}
