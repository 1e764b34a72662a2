import type { MeshPoints } from '#engine/host.ts'
import { clipBox, wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { cropPicture, fitWithin } from '#engine/image/pixels.ts'
import { boxBlur, shrink, smoothRows } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { luma, lumaOf } from '#engine/image/tones.ts'
import { meshBox, placeMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { faceRegion, facialFeatures, meshArea, outlineOf, outlines } from '#engine/tasks/faces/regions.ts'
import type { Box } from '#shared/media.ts'
import { type EnhanceOptions, enhance, type Noise, partMargin } from './enhance.ts'

const lightSide = 256

interface LightOptions {
  /** Lifts shadows, stretches the range of brightness and corrects the midtones, 0 to 1. */
  light: number
  /** Removes a colour cast and strengthens faint colours, 0 to 1. */
  colour: number
}

interface LightPlan {
  cast: readonly [number, number, number]
  black: number
  /** Gain of each region; a small plane over the whole picture. */
  lift: Plane
  colour: number
}

/**
 * Corrects light and colour in place: at most half of a cast by shades of grey (Finlayson and
 * Trezzi 2004, p = 6), brightness stretched between its 0.5 % and 99.5 % quantiles, and dark
 * regions lifted by the brightness around them, so that local detail stays.
 */
export function correctLight(picture: Picture, options: LightOptions): Picture {
  const plan = planLight(picture, options)
  return plan ? applyLight(picture, plan, { ...picture, x: 0, y: 0 }) : picture
}

/** The plan of {@link correctLight}, from a picture or a reduced copy; undefined if unchanged. */
function planLight(picture: Picture, { light, colour }: LightOptions): LightPlan | undefined {
  if (light <= 0 && colour <= 0) return undefined
  const small = smallLuma(picture)
  const range = measureRange(small, light)
  const surroundings = smoothRegions(small)
  const lift = createPlane(small.width, small.height)
  for (let i = 0; i < lift.data.length; i++) {
    const spread = Math.min(1, Math.max(0, ((surroundings.data[i] as number) - range.black) * range.stretch))
    lift.data[i] = range.stretch * liftOf(spread, range.middle, light)
  }
  return { cast: castFactors(picture, colour), black: range.black, lift, colour }
}

/** Applies a plan to a part, in place; `whole` is the picture's size and the part's position. */
function applyLight(
  part: Picture,
  { cast, black, lift, colour }: LightPlan,
  whole: { width: number; height: number; x: number; y: number },
): Picture {
  const { width, height, data } = part
  const rowOf = smoothRows(lift, whole.width, whole.height)
  for (let y = 0, k = 0; y < height; y++) {
    const gains = rowOf(whole.y + y)
    for (let x = 0; x < width; x++, k += 4) {
      const gain = gains[whole.x + x] as number
      const red = ((data[k] as number) / 255) * cast[0] - black
      const green = ((data[k + 1] as number) / 255) * cast[1] - black
      const blue = ((data[k + 2] as number) / 255) * cast[2] - black
      const light = luma(red, green, blue)
      const own = gain * light
      // Compress highlights beside lifted shadows instead of clipping them.
      const bent = own > 0.8 ? 0.8 + 0.2 * (1 - Math.exp((0.8 - own) / 0.2)) : own
      const scale = light > 0.001 ? bent / light : gain
      const chroma = Math.max(red, green, blue) - Math.min(red, green, blue)
      const life = scale * (1 + 0.35 * colour * Math.max(0, 1 - 2 * chroma))
      data[k] = 255 * (bent + life * (red - light))
      data[k + 1] = 255 * (bent + life * (green - light))
      data[k + 2] = 255 * (bent + life * (blue - light))
    }
  }
  return part
}

function castFactors({ data }: Picture, amount: number): [number, number, number] {
  const sums = [0, 0, 0]
  for (let k = 0; k < data.length; k += 28) {
    const [red, green, blue, alpha] = data.subarray(k, k + 4) as unknown as [number, number, number, number]
    if (alpha < 128 || Math.max(red, green, blue) > 250) continue
    for (let c = 0; c < 3; c++) sums[c] = (sums[c] as number) + ((data[k + c] as number) / 255) ** 6
  }
  const norms = sums.map((sum) => sum ** (1 / 6))
  const mean = norms.reduce((a, b) => a + b, 0) / 3
  return norms.map((norm) => {
    const full = norm > 0 ? mean / norm : 1
    return 1 + amount * 0.5 * (Math.min(1.3, Math.max(0.77, full)) - 1)
  }) as [number, number, number]
}

function smallLuma(picture: Picture): Plane {
  const { width, height } = fitWithin(picture, lightSide)
  return shrink(lumaOf(picture, 1), width, height)
}

function measureRange({ data }: Plane, amount: number): { black: number; stretch: number; middle: number } {
  const sorted = data.slice().sort()
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] as number
  const black = amount * Math.min(0.1, at(0.005))
  const white = 1 - amount * Math.min(0.35, 1 - at(0.995))
  const stretch = 1 / Math.max(0.3, white - black)
  return { black, stretch, middle: Math.min(1, Math.max(0.02, (at(0.5) - black) * stretch)) }
}

/** Brightness of regions with edges kept (self-guided filter; He, Sun and Tang 2010). */
function smoothRegions(plane: Plane): Plane {
  const radius = Math.max(4, Math.round(Math.max(plane.width, plane.height) / 16))
  const squares = { ...plane, data: plane.data.map((value) => value * value) }
  const mean = boxBlur(plane, radius)
  const square = boxBlur(squares, radius)
  const slope = createPlane(plane.width, plane.height)
  const offset = createPlane(plane.width, plane.height)
  for (let i = 0; i < mean.data.length; i++) {
    const own = mean.data[i] as number
    const variance = (square.data[i] as number) - own * own
    const a = variance / (variance + 0.01)
    slope.data[i] = a
    offset.data[i] = own * (1 - a)
  }
  const a = boxBlur(slope, radius)
  const b = boxBlur(offset, radius)
  for (let i = 0; i < a.data.length; i++) {
    b.data[i] = (a.data[i] as number) * (plane.data[i] as number) + (b.data[i] as number)
  }
  return b
}

function liftOf(brightness: number, middle: number, amount: number): number {
  const gamma = Math.min(1.15, Math.max(0.6, Math.log(0.45) / Math.log(Math.min(0.9, middle))))
  const wanted = Math.max(brightness, 0.02) ** gamma
  const gain = wanted / Math.max(brightness, 0.02)
  return 1 + amount * 0.7 * (Math.min(gain, 2.2) - 1)
}

/** Longer side of the detail plane; faces need no finer one. */
const detailSide = 1000
/** Extra sharpening of eyes, brows and lips, and reduction on skin, at full strength. */
const featureGain = 1.2
const skinReduction = 0.75

/**
 * Sharpening factors, 1 by default: higher at eyes, brows and lips, lower on skin, whose noise and
 * pores sharpening would amplify. Meshes are in pixels of `size`; `amount` is 0 to 1. Undefined
 * where all factors are 1.
 */
export function faceDetail(size: Size, faces: readonly MeshPoints[], amount: number): Plane | undefined {
  if (faces.length === 0 || amount <= 0) return undefined
  const { width, height } = fitWithin(size, detailSide)
  const scale = width / size.width
  const detail = createPlane(width, height, 1)
  for (const face of faces) {
    const across = outlineOf(face, 'face').map(({ x }) => x * scale)
    const wide = Math.max(...across) - Math.min(...across)
    const around = faceRegion({ width, height }, [face], scale, 0.05 * wide)
    const eyes = faceRegion({ width, height }, [face], scale, 0.03 * wide, facialFeatures)
    for (let i = 0; i < detail.data.length; i++) {
      // The blurred masks of small eyes stay far below 1.
      const eye = Math.min(1, 2.5 * (eyes.data[i] as number))
      const change = featureGain * eye - skinReduction * (around.data[i] as number) * (1 - eye)
      if (change !== 0) detail.data[i] = Math.max(0, (detail.data[i] as number) + amount * change)
    }
  }
  return detail
}

/** The usual enlargement at full sharpness, and the margin in pixels around the features. */
const trial = { scale: 2, denoise: 0.8, sharpness: 1, margin: 12 } as const

/**
 * Growth of the edges of eyes, brows and lips by full sharpening, whatever their contrast: 1 if
 * nothing changes, above 1.5 if sharp. The mesh is in pixels of the picture.
 */
export function sharpeningGain(picture: Picture, mesh: MeshPoints, noise: Noise): number {
  const { scale, margin } = trial
  const features = meshBox(
    mesh,
    facialFeatures.flatMap((part) => outlines[part]),
  )
  const [x, y] = [Math.floor(features.x) - margin, Math.floor(features.y) - margin]
  const [width, height] = [features.width, features.height].map((side) => Math.ceil(side) + 2 * margin) as [
    number,
    number,
  ]
  const part = clipBox({ x, y, width, height }, picture)
  if (!part) return 1
  const pixels = cropPicture(picture, part)
  const placed = (factor: number) => placeMesh(mesh, part.x, part.y, factor)
  const sharp = enhance(pixels, { ...trial, noise, detail: faceDetail(part, [placed(1)], 1) })
  const plain = resamplePart(pixels, wholeOf(pixels), sharp.width, sharp.height)
  const area = meshArea(sharp, placed(scale), ...facialFeatures)
  const edges = (one: Picture) => {
    const { data } = lumaOf(one)
    let sum = 0
    for (let i = one.width; i < data.length - one.width; i++) {
      if ((area.data[i] as number) === 0) continue
      const across = (data[i + 1] as number) - (data[i - 1] as number)
      sum += across ** 2 + ((data[i + one.width] as number) - (data[i - one.width] as number)) ** 2
    }
    return Math.sqrt(sum)
  }
  return edges(sharp) / Math.max(1e-6, edges(plain))
}

/** Measurements of a whole picture that its parts share when they are enhanced separately. */
export interface WholePicture extends Size {
  noise: Noise
  /** The picture or a reduced copy, for measuring the light. */
  small: Picture
}

/** Parts align with the whole picture's noise windows: every third pixel, also at half the size. */
const grid = 6

/** The pixels needed to enhance a part: the part with its margin, on whole pixels. */
export function partWithSurroundings(part: Box, whole: Size): Box {
  const from = (start: number) => Math.max(0, Math.floor((start - partMargin) / grid) * grid)
  const [x, y] = [from(part.x), from(part.y)]
  const right = Math.min(whole.width, part.x + part.width + partMargin)
  const bottom = Math.min(whole.height, part.y + part.height + partMargin)
  return { x, y, width: right - x, height: bottom - y }
}

/** Renders a part as within the whole picture; `pixels` are those of `partWithSurroundings`. */
export function enhancePart(
  pixels: Picture,
  part: Box,
  whole: WholePicture,
  options: EnhanceOptions & LightOptions,
): Picture {
  const { scale } = options
  const from = partWithSurroundings(part, whole)
  const large = enhance(pixels, { ...options, noise: whole.noise })
  const made = cropPicture(large, {
    x: scale * (part.x - from.x),
    y: scale * (part.y - from.y),
    width: scale * part.width,
    height: scale * part.height,
  })
  const plan = planLight(whole.small, options)
  if (!plan) return made
  return applyLight(made, plan, {
    width: scale * whole.width,
    height: scale * whole.height,
    x: scale * part.x,
    y: scale * part.y,
  })
}

export { enhance, measureNoise, type Noise, noiseRows } from './enhance.ts'
export { findScratches } from './scratches.ts'
