import {
  type Direction,
  type Irradiance,
  lightOn,
  probeIrradiance,
  type Surroundings,
} from '#engine/image/light-probe.ts'
import { clamp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { alphaPlane, fitWithin } from '#engine/image/pixels.ts'
import { boxBlur, feather, shrink, smoothRows } from '#engine/image/plane.ts'
import { lumaAt } from '#engine/image/tones.ts'
import type { AnyLocationId } from '#engine/scenes.ts'
import type { LinearRgb } from './canvas.ts'
import { directionOf, locationOf } from './locations.ts'
import { linearOf, luminance, srgbOf } from './scene.ts'

/** Light of a location on a subject in front of one of its views. */
export interface LocationLight {
  irradiance: Irradiance
  /** Colour of white paper that faces the camera in the developed picture, luminance 1. */
  white: LinearRgb
  /** White balance of the camera. */
  balance: readonly [number, number, number]
}

const facing: Direction = [0, 0, -1]
/** Share of the light's colour that the white balance leaves, and its limit (logarithm). */
const leftCast = { share: 0.4, most: 0.11 } as const
/** Largest cast of a light (logarithm): candles have it, a channel without any light has more. */
const mostCast = 1.2

/**
 * The camera adapts to the light on a face in front of it, as an automatic white balance does; that
 * of a photograph has already done so.
 */
export function locationLight({ probe, photo }: Surroundings, id: AnyLocationId, seed: number): LocationLight {
  const irradiance = probeIrradiance(probe, photo ? 0 : directionOf(id, seed))
  const front = lightOn(irradiance, facing)
  const level = Math.max(1e-6, luminance(front))
  const logs = front.map((value) => clamp(Math.log(Math.max(1e-6, value) / level), -mostCast, mostCast))
  const casts = logs.map((log) => clamp(leftCast.share * log, -leftCast.most, leftCast.most))
  const white = casts.map(Math.exp) as unknown as LinearRgb
  const grade = locationOf(id).balance ?? [1, 1, 1]
  const gains = logs.map((log, c) => Math.exp((casts[c] as number) - log) * (grade[c] as number))
  const bright = luminance(gains as unknown as LinearRgb)
  const balance = gains.map((gain) => (photo ? 1 : gain / bright)) as [number, number, number]
  return { irradiance, white: white.map((value) => value / luminance(white)) as unknown as LinearRgb, balance }
}

/** Contrast of a harsh light that reaches the subject: reflectors and skin soften it. */
const softness = 0.45
const range = { least: 0.62, most: 1.5 } as const

/** Brightness of a surface relative to one that faces the camera, softened. */
export function softShade({ irradiance }: LocationLight, normal: Direction): number {
  const front = Math.max(1e-6, luminance(lightOn(irradiance, facing)))
  return clamp((luminance(lightOn(irradiance, normal)) / front) ** softness, range.least, range.most)
}

/** Longer side of the picture at which the light is computed. */
const workSide = 160
/** Radius of a limb's or head's roundness in shares of that side. */
const roundness = 0.09
/** Brightness of a bright surrounding that the outline catches. */
const rim = { reach: 0.006, share: 0.3, most: 1.6 } as const

/**
 * Puts a cut-out into the light of a location, in place: smooth light by the roundness of the
 * outline (occluding contours turn away from the camera) and its colour. `own` is the direction of
 * the photograph's light, which is taken away; null keeps its shading. `strength` is 0 (nothing
 * changes) to 1.
 */
export function relightSubject(subject: Picture, light: LocationLight, own: Direction | null, strength: number): void {
  if (strength <= 0) return
  const { width, height, data } = subject
  const small = fitWithin(subject, Math.min(workSide, Math.max(width, height)))
  const alpha = alphaPlane(subject)
  const matte = shrink(alpha, small.width, small.height)
  const change = own ? turnedLight(matte, light, own) : createPlane(1, 1)
  const changeRow = smoothRows(change, width, height)
  const gains = light.white.map((value) => value ** Math.min(1, strength / usualStrength))
  const { linear, levels } = linearTables()
  for (let y = 0, at = 0; y < height; y++) {
    const row = changeRow(y)
    for (let x = 0; x < width; x++, at += 4) {
      if (data[at + 3] === 0) continue
      const factor = Math.exp(strength * (row[x] as number))
      let [most, mostBefore] = [0, 0]
      for (let c = 0; c < 3; c++) {
        const before = linear[data[at + c] as number] as number
        most = Math.max(most, before * factor * (gains[c] as number))
        mostBefore = Math.max(mostBefore, before)
      }
      // All channels alike, so that white keeps the light's colour.
      const scale = most > 0 ? (factor * compressed(most, mostBefore)) / most : factor
      for (let c = 0; c < 3; c++) {
        const lit = (linear[data[at + c] as number] as number) * (gains[c] as number) * scale
        data[at + c] = levels[Math.min(steps, Math.round(lit * steps))] as number
      }
    }
  }
}

/** Strength at which the light's colour is complete: white becomes the location's white. */
const usualStrength = 0.5
const knee = 0.75
const steps = 4096

/** Light above the knee that became brighter is compressed instead of clipped. */
function compressed(lit: number, before: number): number {
  if (lit <= knee || lit <= before) return lit
  return Math.max(before, knee + (1 - knee) * (1 - Math.exp((knee - lit) / (1 - knee))))
}

interface LightTables {
  linear: Float32Array
  levels: Float32Array
}
let tables: LightTables | undefined

function linearTables(): LightTables {
  tables ??= {
    linear: Float32Array.from({ length: 256 }, (_, level) => linearOf(level / 255)),
    levels: Float32Array.from({ length: steps + 1 }, (_, light) => 255 * srgbOf(light / steps)),
  }
  return tables
}

/** Logarithm of the change of brightness. */
function turnedLight(matte: Plane, light: LocationLight, own: Direction): Plane {
  const { width, height } = matte
  const reach = Math.max(2, Math.round(roundness * Math.max(width, height)))
  const round = feather(matte, reach)
  const change = createPlane(width, height)
  let [sum, all] = [0, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const slope = (a: number, b: number) => ((round.data[a] as number) - (round.data[b] as number)) * reach
      // Beyond the borders the body goes on.
      const across = x > 0 && x < width - 1 ? slope(i - 1, i + 1) : 0
      const down = y > 0 && y < height - 1 ? slope(i - width, i + width) : 0
      const scale = Math.min(1, 0.9 / Math.max(1e-6, Math.hypot(across, down)))
      const [nx, ny] = [across * scale, down * scale]
      const normal: Direction = [nx, ny, -Math.sqrt(Math.max(0, 1 - nx * nx - ny * ny))]
      const before = nx * own[0] + ny * own[1] + (normal[2] + 1) * own[2]
      const value = Math.log(softShade(light, normal)) - clamp(before, -0.3, 0.3)
      change.data[i] = clamp(value, -0.4, 0.4)
      const weight = matte.data[i] as number
      sum += weight * (change.data[i] as number)
      all += weight
    }
  }
  // The exposure stays: only the direction of the light changes.
  const middle = all > 0 ? sum / all : 0
  for (let i = 0; i < change.data.length; i++) change.data[i] = (change.data[i] as number) - middle
  return boxBlur(change, Math.max(1, Math.round(reach / 3)))
}

/**
 * Light of the background that spills over the outline, in place: half of it at the edge, none
 * further inside. Bright parts behind the subject give a rim.
 */
export function spillLight(subject: Picture, background: Picture, strength: number): void {
  if (strength <= 0) return
  const { width, height, data } = subject
  const half = shrink(alphaPlane(subject), Math.ceil(width / 2), Math.ceil(height / 2))
  const edgeRow = smoothRows(feather(half, Math.max(1, rim.reach * Math.max(width, height))), width, height)
  const small = fitWithin(background, 128)
  const behind = [0, 1, 2].map((channel) => smoothRows(softChannel(background, channel, small), width, height))
  for (let y = 0, at = 0; y < height; y++) {
    const edge = edgeRow(y)
    const rows = behind.map((row) => row(y)) as [Float32Array, Float32Array, Float32Array]
    for (let x = 0; x < width; x++, at += 4) {
      const cover = (data[at + 3] as number) / 255
      const share = strength * rim.share * cover * Math.max(0, 1 - (edge[x] as number)) * 2
      if (share <= 0.003) continue
      for (let c = 0; c < 3; c++) {
        const body = data[at + c] as number
        const light = (rows[c as 0 | 1 | 2][x] as number) * share
        data[at + c] = body + light * (1 - body / 255)
      }
    }
  }
}

/** A blurred channel of a picture at the size `small`. */
export function softChannel(picture: Picture, channel: number, small: Size): Plane {
  const plane = createPlane(small.width, small.height)
  for (let y = 0, i = 0; y < small.height; y++) {
    const row = Math.floor(((y + 0.5) * picture.height) / small.height) * picture.width
    for (let x = 0; x < small.width; x++, i++) {
      // Backgrounds are soft, so one pixel of each block is as good as the block's mean.
      const at = row + Math.floor(((x + 0.5) * picture.width) / small.width)
      plane.data[i] = picture.data[4 * at + channel] as number
    }
  }
  return boxBlur(plane, Math.max(1, Math.round(0.04 * small.width)))
}

/**
 * Direction of a subject's light, −1 (left) to 1 (right), from a picture and its matte, both small.
 * Near its outline a subject turns to the side, so brightness is fitted there against the slope of
 * the blurred matte (light from occluding contours, Johnson & Farid 2005).
 */
export function lightDirection({ data, width, height }: Picture, matte: Plane): number {
  const reach = Math.max(2, Math.round(0.05 * Math.max(width, height)))
  const round = feather(matte, reach)
  let [count, sumN, sumL, sumNN, sumNL, sumLL] = [0, 0, 0, 0, 0, 0]
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      if ((matte.data[i] as number) < 0.95) continue
      const normal = ((round.data[i - 1] as number) - (round.data[i + 1] as number)) * reach
      const luma = lumaAt(data, i) / 255
      count++
      sumN += normal
      sumL += luma
      sumNN += normal * normal
      sumNL += normal * luma
      sumLL += luma * luma
    }
  }
  if (count < 50) return 0
  const cross = sumNL - (sumN * sumL) / count
  const spread = Math.sqrt(Math.max(1e-9, (sumNN - sumN ** 2 / count) * (sumLL - sumL ** 2 / count)))
  return Math.min(1, Math.max(-1, (2.5 * cross) / spread))
}
