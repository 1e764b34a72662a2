import { lumaOf } from '#engine/image/luma.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { randomSequence } from '#engine/image/random.ts'
import { estimateNoise } from '#engine/tasks/enhance/noise.ts'

/** How far the finest detail may be softened or strengthened. */
const softest = 0.25
const crispest = 1.4

/**
 * What has to be done to a picture so that its finest detail looks as sharp and as noisy as another
 * one's.
 */
export interface TextureMatch {
  /** Factor of the detail finer than about two pixels. */
  detail: number
  /** Standard deviation of the grain to add, 0 to 1. */
  grain: number
}

/**
 * Compares the finest detail of two pictures where `where` is above a half; both have the plane's
 * size.
 */
export function matchTexture(picture: Picture, like: Picture, where: Plane): TextureMatch {
  const own = fineDetail(picture, where)
  const wanted = fineDetail(like, where)
  if (own.count < 200 || own.level === 0) return { detail: 1, grain: 0 }
  const detail = Math.min(crispest, Math.max(softest, wanted.level / own.level))
  const grain = Math.sqrt(Math.max(0, wanted.noise ** 2 - (detail * own.noise) ** 2))
  return { detail, grain: Math.min(0.05, grain) }
}

/** So many pixels tell a quantile well enough. */
const enoughPixels = 12_000

function fineDetail(picture: Picture, where: Plane): { level: number; noise: number; count: number } {
  const luma = lumaOf(picture, 1)
  const soft = boxBlur(luma, 1)
  const inside = where.data.reduce((sum, value) => sum + (value > 0.5 ? 1 : 0), 0)
  const step = Math.ceil(inside / enoughPixels)
  const found = new Float32Array(enoughPixels)
  let seen = 0
  let count = 0
  for (let i = 0; i < luma.data.length; i++) {
    if ((where.data[i] as number) <= 0.5 || seen++ % step !== 0) continue
    found[count++] = Math.abs((luma.data[i] as number) - (soft.data[i] as number))
  }
  const sorted = found.subarray(0, count).sort()
  // The median knows skin and its grain, and nothing of the few strong edges of eyes and mouth.
  return { level: sorted[Math.floor(0.6 * count)] ?? 0, noise: estimateNoise(luma), count }
}

/**
 * Scales the finest detail of a picture and adds grain, in place; transparent pixels do not count.
 */
export function applyTexture(picture: Picture, { detail, grain }: TextureMatch): void {
  const { width, height, data } = picture
  if (Math.abs(detail - 1) > 0.03) {
    for (let channel = 0; channel < 3; channel++) {
      const values = createPlane(width, height)
      for (let i = 0; i < values.data.length; i++) values.data[i] = data[4 * i + channel] as number
      const soft = boxBlur(values, 1)
      for (let y = 1; y < height - 1; y++) {
        for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
          if (!surrounded(data, i, width)) continue
          const base = soft.data[i] as number
          data[4 * i + channel] = base + detail * ((values.data[i] as number) - base)
        }
      }
    }
  }
  if (grain < 0.002) return
  const random = randomSequence(7)
  for (let i = 0; i < width * height; i++) {
    // The sum of three even numbers is close to normal; its deviation is a half.
    const noise = 255 * 2 * grain * (random() + random() + random() - 1.5)
    if (data[4 * i + 3] === 0) continue
    for (let c = 0; c < 3; c++) data[4 * i + c] = (data[4 * i + c] as number) + noise
  }
}

/** Whether the pixels above, below and beside one are opaque. */
function surrounded(data: Uint8ClampedArray, i: number, width: number): boolean {
  return (
    data[4 * (i - 1) + 3] === 255 &&
    data[4 * (i + 1) + 3] === 255 &&
    data[4 * (i - width) + 3] === 255 &&
    data[4 * (i + width) + 3] === 255 &&
    data[4 * i + 3] === 255
  )
}
