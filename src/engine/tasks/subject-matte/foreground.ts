import type { EngineHost } from '#engine/host.ts'
import { dilate } from '#engine/image/morphology.ts'
import { createPlane, isMatte, type Matte, type Picture, type Plane } from '#engine/image/picture.ts'
import { channelPlane, fitWithin, matteOf } from '#engine/image/pixels.ts'
import { boxBlur, feather, resizePlane, sampling, shrink } from '#engine/image/plane.ts'
import { fillFromSurroundings } from '#engine/image/smooth-map.ts'

const workSide = 256

/**
 * Estimates the subject's own colours where translucent, so that no halo of the old background
 * stays: blur fusion (Forte 2021), blurred at a reduced size with its last step in full. Keeps
 * pixels of alpha 1, blackens those of alpha 0. Returns RGBA with the matte as alpha.
 */
export async function cutOut(picture: Picture, matte: Plane | Matte, host: EngineHost): Promise<Picture> {
  if (!host.redraws) return computeCutOut(picture, matte, host)
  if (last?.picture !== picture || last.matte !== matte)
    last = { picture, matte, cut: await computeCutOut(picture, matte, host) }
  // The result may be drawn into.
  return { ...last.cut, data: last.cut.data.slice() }
}

let last: { picture: Picture; matte: Plane | Matte; cut: Picture } | undefined

async function computeCutOut(picture: Picture, matte: Plane | Matte, host: EngineHost): Promise<Picture> {
  const { width, height } = fitWithin(picture, workSide)
  const resized = host.resize(picture, width, height)
  const reduced = shrink(matte, width, height)
  const { front, back } = blurFusion(await resized, reduced)
  return unmix(picture, isMatte(matte) ? matte : matteOf(matte), front, back)
}

type Colours = [Plane, Plane, Plane]

/** Smooth colours of subject and background at the size of the matte, 0 to 1. */
export function blurFusion(picture: Picture, matte: Plane): { front: Colours; back: Colours } {
  const image = [0, 1, 2].map((channel) => channelPlane(picture, channel, 1)) as Colours
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

function unmix(picture: Picture, matte: Matte, front: Colours, back: Colours): Picture {
  const { width, height } = picture
  const data = new Uint8ClampedArray(width * height * 4)
  const columns = sampling(front[0].width, width)
  const rows = sampling(front[0].height, height)
  const stride = front[0].width
  for (let y = 0; y < height; y++) {
    const above = (rows.index[y] as number) * stride
    const below = Math.min(above + stride, (front[0].height - 1) * stride)
    const v = rows.weight[y] as number
    for (let x = 0, i = y * width; x < width; ) {
      const level = matte.data[i] as number
      if (level === 0 || level === 255) {
        const start = i
        do {
          i++
          x++
        } while (x < width && matte.data[i] === level)
        if (level === 255) copyOpaque(picture.data, data, 4 * start, 4 * i)
        continue
      }
      const at = 4 * i
      const alpha = level / 255
      const left = columns.index[x] as number
      const right = left + 1 < stride ? left + 1 : left
      const u = columns.weight[x] as number
      data[at + 3] = level
      for (let c = 0; c < 3; c++) {
        const f = between((front[c] as Plane).data, above, below, left, right, u, v)
        const b = between((back[c] as Plane).data, above, below, left, right, u, v)
        const seen = (picture.data[at + c] as number) / 255
        data[at + c] = 255 * (f + alpha * (seen - alpha * f - (1 - alpha) * b))
      }
      i++
      x++
    }
  }
  return { width, height, data }
}

function copyOpaque(from: Uint8ClampedArray, to: Uint8ClampedArray, start: number, end: number): void {
  to.set(from.subarray(start, end), start)
  for (let at = start + 3; at < end; at += 4) to[at] = 255
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

const blurSide = 720

/**
 * Opaque background out of focus. The subject is filled in first, so that it leaves no glow.
 * `strength` is the blur's radius as a share of the longer side.
 */
export function blurredBackground(
  picture: Picture,
  matte: Plane | Matte,
  strength: number,
  host: EngineHost,
): Promise<Picture> {
  return defocused(picture, matte, host, (small) => {
    const radius = strength * Math.max(small.width, small.height)
    return (values) => feather(values, radius, 3)
  })
}

const lensBlurLevels = 4

/** Lens blur by the difference in `depth` (1 is nearest) from the subject, up to `strength`. */
export function lensBackground(
  picture: Picture,
  matte: Plane | Matte,
  depth: Plane,
  strength: number,
  host: EngineHost,
): Promise<Picture> {
  return defocused(picture, matte, host, (small) => {
    const { width, height } = small
    const near = resizePlane(depth, small)
    const inside = shrink(matte, width, height)
    let [focus, area] = [0, 0]
    for (let i = 0; i < near.data.length; i++) {
      focus += (inside.data[i] as number) * (near.data[i] as number)
      area += inside.data[i] as number
    }
    focus /= area || 1
    const away = near.data.map((value) => Math.abs(value - focus))
    const furthest = away.reduce((most, value) => Math.max(most, value), 1e-6)
    return (values) => {
      const longest = strength * Math.max(width, height)
      const levels = [values]
      for (let step = 1; step <= lensBlurLevels; step++)
        levels.push(feather(values, (longest * step) / lensBlurLevels, 3))
      const out = createPlane(width, height)
      for (let i = 0; i < out.data.length; i++) {
        const at = (lensBlurLevels * (away[i] as number)) / furthest
        const below = Math.min(lensBlurLevels - 1, Math.floor(at))
        const [soft, softer] = [levels[below]?.data[i] as number, levels[below + 1]?.data[i] as number]
        out.data[i] = soft + (at - below) * (softer - soft)
      }
      return out
    }
  })
}

async function defocused(
  picture: Picture,
  matte: Plane | Matte,
  host: EngineHost,
  blurOf: (small: Picture) => (values: Plane) => Plane,
): Promise<Picture> {
  const { width, height } = fitWithin(picture, blurSide)
  const small = await host.resize(picture, width, height)
  const cover = dilate(shrink(matte, width, height), Math.max(1, Math.round(0.006 * Math.max(width, height))))
  const blur = blurOf(small)
  const data = new Uint8ClampedArray(width * height * 4)
  const weight = createPlane(width, height)
  for (let i = 0; i < weight.data.length; i++) weight.data[i] = (1 - (cover.data[i] as number)) ** 2
  for (let channel = 0; channel < 3; channel++) {
    const soft = blur(fillFromSurroundings(channelPlane(small, channel), weight))
    for (let i = 0; i < soft.data.length; i++) data[4 * i + channel] = soft.data[i] as number
  }
  for (let i = 3; i < data.length; i += 4) data[i] = 255
  return host.resize({ width, height, data }, picture.width, picture.height)
}
