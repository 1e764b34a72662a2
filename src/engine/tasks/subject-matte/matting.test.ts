import { describe, expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { addShadowBelow, compositeOver, solidPicture } from '#engine/image/composite.ts'
import { guidedCoefficients } from '#engine/image/guided-filter.ts'
import { applyGuided, channelsOf } from '#engine/image/guided-upsampling.ts'
import { borderDistance, dilate, erode } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { matteOf, planeOf } from '#engine/image/pixels.ts'
import { boxBlur, resizeSmooth, shrink } from '#engine/image/plane.ts'
import { blurFusion, cutOut } from './foreground.ts'
import { refineMatte } from './refine.ts'
import { segment } from './segment.ts'

const side = 96

function softDisc(softness: number): { picture: Picture; alpha: Plane } {
  const alpha = createPlane(side, side)
  const data = new Uint8ClampedArray(side * side * 4)
  for (let i = 0; i < alpha.data.length; i++) {
    const x = i % side
    const y = Math.floor(i / side)
    const value = Math.min(1, Math.max(0, 0.5 + (28 - Math.hypot(x - side / 2, y - side / 2)) / softness))
    alpha.data[i] = value
    const front = [200 + x / 4, 60, 40]
    const back = [30, 90 + y / 2, 180]
    for (let c = 0; c < 3; c++) data[4 * i + c] = value * front[c]! + (1 - value) * back[c]!
    data[4 * i + 3] = 255
  }
  return { picture: { width: side, height: side, data }, alpha }
}

const meanDifference = (a: Plane, b: Plane): number =>
  a.data.reduce((sum, value, i) => sum + Math.abs(value - b.data[i]!), 0) / a.data.length

const unknownBand = (mask: Plane, radius: number) =>
  Uint8Array.from(borderDistance(mask), (away) => (away <= radius ? 1 : 0))

describe('planes', () => {
  test('a box blur is the mean of its window, also at the borders', () => {
    const plane = { width: 7, height: 5, data: Float32Array.from({ length: 35 }, (_, i) => (i * i * 7) % 11) }
    const blurred = boxBlur(plane, 2)
    for (let y = 0; y < 5; y++) {
      for (let x = 0; x < 7; x++) {
        const window: number[] = []
        for (let v = Math.max(0, y - 2); v <= Math.min(4, y + 2); v++) {
          for (let u = Math.max(0, x - 2); u <= Math.min(6, x + 2); u++) window.push(plane.data[v * 7 + u]!)
        }
        const mean = window.reduce((a, b) => a + b, 0) / window.length
        expect(blurred.data[y * 7 + x]).toBeCloseTo(mean, 4)
      }
    }
  })

  test('shrinking keeps the mean and enlarging keeps a ramp straight', () => {
    const ramp = { width: 60, height: 45, data: Float32Array.from({ length: 2700 }, (_, i) => (i % 60) / 59) }
    const mean = (plane: Plane) => plane.data.reduce((a, b) => a + b, 0) / plane.data.length
    expect(mean(shrink(ramp, 17, 11))).toBeCloseTo(mean(ramp), 4)
    const [small, exact] = [shrink(matteOf(ramp), 17, 11), shrink(planeOf(matteOf(ramp)), 17, 11)]
    expect([...small.data].filter((value, i) => Math.abs(value - exact.data[i]!) >= 5e-6)).toEqual([])
    const large = resizeSmooth(ramp, 120, 45)
    expect(large.data[40]! - large.data[39]!).toBeCloseTo(0.5 / 59, 4)
  })
})

describe('matting', () => {
  test('results do not change while other pictures are segmented, refined and cut out', async () => {
    const host = { resize: async (picture: Picture) => picture } as Partial<EngineHost> as EngineHost
    const everything = async ({ picture, alpha }: { picture: Picture; alpha: Plane }) => [
      segment(picture, alpha),
      refineMatte(picture, picture, alpha, { band: 0.05 }),
      await cutOut(picture, alpha, host),
    ]
    const made = await everything(softDisc(12))
    const before = structuredClone(made)
    await everything(softDisc(2))
    expect(made).toEqual(before)
  })

  test('a cut-out kept for the next change of options is unharmed by drawing into it, and follows picture and matte', async () => {
    const server = { resize: async (picture: Picture) => picture } as Partial<EngineHost> as EngineHost
    const device: EngineHost = { ...server, redraws: true }
    const [soft, sharp] = [softDisc(12), softDisc(2)]
    const plain = await cutOut(soft.picture, soft.alpha, server)
    const first = await cutOut(soft.picture, soft.alpha, device)
    first.data.fill(7)
    expect(await cutOut(soft.picture, soft.alpha, device)).toEqual(plain)
    expect(await cutOut(soft.picture, sharp.alpha, device)).toEqual(await cutOut(soft.picture, sharp.alpha, server))
    expect(await cutOut(sharp.picture, sharp.alpha, device)).toEqual(await cutOut(sharp.picture, sharp.alpha, server))
  })

  test('the guided filter removes noise from a mask without blurring its edge', () => {
    const { picture, alpha } = softDisc(2)
    const noise = (i: number) => (((i * 7919) % 101) / 101 - 0.5) * 0.8
    const noisy = { ...alpha, data: alpha.data.map((value, i) => value + noise(i)) }
    const [none, all] = [createPlane(side, side), createPlane(side, side, 1)]
    const guided = planeOf(applyGuided(guidedCoefficients(picture, noisy, 6, 1e-4), channelsOf(picture), none, all))
    expect(meanDifference(guided, alpha)).toBeLessThan(0.5 * meanDifference(boxBlur(noisy, 6), alpha))
    expect(meanDifference(guided, alpha)).toBeLessThan(0.3 * meanDifference(noisy, alpha))
  })

  test('guided coefficients of a reduced picture enlarge a matte better than plain interpolation', () => {
    const { picture, alpha } = softDisc(2)
    const half = createPlane(side / 2, side / 2)
    const data = new Uint8ClampedArray(side * side)
    for (let y = 0; y < side / 2; y++) {
      for (let x = 0; x < side / 2; x++) {
        for (let c = 0; c < 4; c++) {
          const at = (2 * y * side + 2 * x) * 4 + c
          const sum =
            picture.data[at]! + picture.data[at + 4]! + picture.data[at + 4 * side]! + picture.data[at + 4 * side + 4]!
          data[(y * (side / 2) + x) * 4 + c] = sum / 4
        }
      }
    }
    const small = shrink(alpha, half.width, half.height)
    const coefficients = guidedCoefficients({ ...half, data }, small, 2, 1e-5)
    const guided = planeOf(applyGuided(coefficients, channelsOf(picture), erode(small, 1), dilate(small, 1)))
    expect(meanDifference(guided, alpha)).toBeLessThan(0.5 * meanDifference(resizeSmooth(small, side, side), alpha))
  })

  test('the guided filter gives the same result when limited to some pixels', () => {
    const { picture, alpha } = softDisc(6)
    const whole = guidedCoefficients(picture, alpha, 3, 1e-5)
    const wanted = unknownBand(alpha, 4)
    const some = guidedCoefficients(picture, alpha, 3, 1e-5, wanted)
    const differs = (value: number, k: number) => Math.abs(value - (wanted[k >> 2] ? whole.data[k]! : 0)) >= 5e-5
    expect([...some.data].filter(differs)).toEqual([])
  })

  test('enlarging stays within the given limits', () => {
    const { picture, alpha } = softDisc(2)
    const most = createPlane(side, side, 128 / 255)
    const least = { ...alpha, data: alpha.data.map((value) => Math.min(value, 128 / 255)) }
    const guided = applyGuided(guidedCoefficients(picture, alpha, 3, 1e-5), channelsOf(picture), least, most)
    const isBeyond = (value: number, i: number) => value > 128 || value < Math.floor(255 * least.data[i]!)
    expect([...guided.data].filter(isBeyond)).toEqual([])
  })

  test('distance from the border is Euclidean within a tenth', () => {
    const disc = softDisc(0.01).alpha
    const distance = borderDistance(disc)
    const isFar = (value: number, i: number) => {
      const truth = Math.abs(28 - Math.hypot((i % side) - side / 2, Math.floor(i / side) - side / 2))
      return Math.abs(value - truth) >= 1 + 0.1 * truth
    }
    expect([...distance].filter(isFar)).toEqual([])
    expect(Math.min(...borderDistance(createPlane(8, 8, 1)))).toBeGreaterThan(1000)
  })

  test('blur fusion finds the subject’s own colours under a soft edge', () => {
    const { picture, alpha } = softDisc(10)
    const { front } = blurFusion(picture, alpha)
    let found = 0
    let plain = 0
    for (let i = 0; i < alpha.data.length; i++) {
      if (alpha.data[i]! < 0.2 || alpha.data[i]! >= 1) continue
      const truth = [200 + (i % side) / 4, 60, 40]
      for (let c = 0; c < 3; c++) {
        found += Math.abs(front[c]!.data[i]! - truth[c]! / 255)
        plain += Math.abs(picture.data[4 * i + c]! - truth[c]!) / 255
      }
    }
    expect(found).toBeLessThan(0.5 * plain)
  })
})

describe('compositing', () => {
  test('straight alpha is composited in sRGB and opaque pixels stay exact', () => {
    const top = { width: 3, height: 1, data: new Uint8ClampedArray([10, 20, 30, 255, 200, 100, 0, 128, 9, 9, 9, 0]) }
    const { data } = compositeOver(top, solidPicture(3, 1, '#0040ff'))
    expect([...data]).toEqual([10, 20, 30, 255, 100, 82, 127, 255, 0, 64, 255, 255])
  })

  test('a shadow darkens translucent pixels and leaves opaque pixels unchanged', () => {
    const top = { width: 2, height: 1, data: new Uint8ClampedArray([80, 90, 100, 255, 0, 0, 0, 0]) }
    addShadowBelow(top, { width: 2, height: 1, data: Float32Array.of(0.5, 0.5) })
    expect([...top.data]).toEqual([80, 90, 100, 255, 0, 0, 0, 128])
  })
})
