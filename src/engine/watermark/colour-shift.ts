import { ramp, smoothstep } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { feather, resizePlane, smoothRows } from '#engine/image/plane.ts'
import { luma } from '#engine/image/tones.ts'
import { gaussian, smoothNoise, type WatermarkRandomness } from './watermark-randomness.ts'

/** In levels. Uneven light disturbs less than uneven colour, so only recoloured work gets much. */
const maxShift = { luma: 14, colour: 7, paidLuma: 6, paidColour: 17 }
/**
 * Root mean square over red, green and blue of any shift inside the work, in levels. A
 * smooth area may have one direction of the ellipsoid alone, and that of red differences is short.
 */
const minShift = 12.5
/** Pixels of the picture for each grid point on which shifts are computed. */
const gridStep = 5
/** Radius of the wider mean, as a share of the longer side. */
const broadReach = 0.05
/** Pixels within which a shift's own part changes, as a share of the longer side. */
const ownReach = 0.11
/** Deviations of a shift's directions in radians, between light and colour and among colours. */
const turns = { tilt: { shared: 2.4, own: 0.5 }, hue: { shared: 1.4, own: 0.3 } }
/** Below 1 more of the area is lighter or darker, and less is tinted. */
const colourShare = 0.45
const terms = 14
/** Deviations in radians over the whole range of a feature. */
const frequency = { fine: 3, broad: 2.6 }

/** {@link Tones} around each point, at its own scale and at a broad one. */
export interface ColourFeatures extends Size {
  planes: readonly Plane[]
}

/** In levels. */
interface ColourShift extends Size {
  y: Float32Array
  blue: Float32Array
  red: Float32Array
}

const gridOf = ({ width, height }: Size): Size => ({
  width: Math.max(2, Math.round(width / gridStep)),
  height: Math.max(2, Math.round(height / gridStep)),
})

/** Planes are luma, 0 to 1, and colour differences, −0.5 to 0.5. */
export function colourFeatures(planes: readonly Plane[], size: Size): ColourFeatures {
  const grid = gridOf(size)
  const fine = planes.map((plane) => resizePlane(plane, grid))
  const radius = broadReach * Math.max(grid.width, grid.height)
  return { ...grid, planes: [...fine, ...fine.map((plane) => feather(plane, radius))] }
}

/** Normally distributed, by random Fourier features (Rahimi and Recht 2007). */
function randomFunction(deviation: number, draw: () => number): (features: ColourFeatures) => Float32Array {
  const scale = deviation * Math.sqrt(2 / terms)
  const drawn = Array.from({ length: terms }, () => {
    const weights = Array.from({ length: 6 }, (_, i) => gaussian(draw) * (i < 3 ? frequency.fine : frequency.broad))
    return { weights, phase: 2 * Math.PI * draw() }
  })
  return ({ width, height, planes }) => {
    const sum = new Float32Array(width * height)
    const [a, b, c, d, e, f] = planes.map(({ data }) => data) as Six<Float32Array>
    for (const { weights, phase } of drawn) {
      const [wa, wb, wc, wd, we, wf] = weights as Six<number>
      for (let i = 0; i < sum.length; i++) {
        const fine = wa * (a[i] as number) + wb * (b[i] as number) + wc * (c[i] as number)
        const broad = wd * (d[i] as number) + we * (e[i] as number) + wf * (f[i] as number)
        sum[i] = (sum[i] as number) + scale * cosine(phase + fine + broad)
      }
    }
    return sum
  }
}

/** Five times as fast as the exact function; a sample needs three digits. */
const steps = 4096
const cosines = Float32Array.from({ length: steps }, (_, i) => Math.cos((2 * Math.PI * i) / steps))
const cosine = (angle: number) => cosines[Math.round(angle * (steps / (2 * Math.PI))) & (steps - 1)] as number

/**
 * Directions in radians: one part follows the colours, so that crops have it too, and one is the
 * picture's own. Deviations are in radians; `grid` has the size of the features.
 */
export function secretAngles(
  grid: Size,
  deviation: { shared: number; own: number },
  shared: () => number,
  own: () => number,
): (features: ColourFeatures) => Float32Array {
  const follow = randomFunction(deviation.shared, shared)
  const noise = smoothNoise(grid, ownReach * Math.max(grid.width, grid.height), own).data
  return (features) => follow(features).map((angle, i) => angle + deviation.own * (noise[i] as number))
}

type Six<Item> = [Item, Item, Item, Item, Item, Item]

/**
 * Shifts of about equal length in secret directions. The larger part follows the colours, so that
 * crops have the same shifts. Inside the work, as large as the features, other draws apply, so that
 * the input around reveals nothing.
 */
export function colourShifter(
  size: Size,
  draws: WatermarkRandomness,
): (features: ColourFeatures, work?: WorkArea) => ColourShift {
  const grid = gridOf(size)
  const areas = (['rest', 'work'] as const).map((area) => {
    const [shared, own] = [draws.shared(`shift ${area}`), draws.own(`shift ${area}`)]
    return { area, tilt: secretAngles(grid, turns.tilt, shared, own), hue: secretAngles(grid, turns.hue, shared, own) }
  })
  return (features, work) => {
    const count = grid.width * grid.height
    const shift = { y: new Float32Array(count), blue: new Float32Array(count), red: new Float32Array(count) }
    for (const { area, tilt, hue } of areas) {
      if (area === 'rest' && !work) continue
      const [tilts, hues] = [tilt(features), hue(features)]
      for (let i = 0; i < count; i++) {
        const inside = work ? (work.share.data[i] as number) : 1
        const weight = area === 'work' ? inside : 1 - inside
        const a = tilts[i] as number
        const b = hues[i] as number
        const light = Math.cos(a)
        const colour = colourShare * Math.sin(a)
        const length = Math.hypot(light, colour)
        shift.y[i] = (shift.y[i] as number) + (weight * light) / length
        shift.blue[i] = (shift.blue[i] as number) + ((weight * colour) / length) * Math.cos(b)
        shift.red[i] = (shift.red[i] as number) + ((weight * colour) / length) * Math.sin(b)
      }
    }
    setLengths(shift, work)
    return { ...grid, ...shift }
  }
}

function setLengths({ y, blue, red }: Omit<ColourShift, keyof Size>, work: WorkArea | undefined): void {
  for (let i = 0; i < y.length; i++) {
    const light = y[i] as number
    const db = blue[i] as number
    const dr = red[i] as number
    const scale = 1 / Math.max(0.4, Math.hypot(light, db, dr))
    const paid = work ? (work.colour.data[i] as number) : 0
    const colour = scale * (maxShift.colour + (maxShift.paidColour - maxShift.colour) * paid)
    // In recoloured areas no colour shift may hide in the brightness that the input reveals.
    const whole = 1 / Math.max(0.5, Math.hypot(db, dr) * scale)
    y[i] = scale * (maxShift.luma + (maxShift.paidLuma - maxShift.luma) * paid) * light
    blue[i] = colour * whole ** paid * db
    red[i] = colour * whole ** paid * dr
    const inside = work ? (work.share.data[i] as number) : 1
    const longer = Math.max(
      1,
      (inside * (1 - paid) * minShift) / levelsOf(y[i] as number, blue[i] as number, red[i] as number),
    )
    y[i] = longer * (y[i] as number)
    blue[i] = longer * (blue[i] as number)
    red[i] = longer * (red[i] as number)
  }
}

/** Root mean square of a shift over red, green and blue. */
const levelsOf = (y: number, blue: number, red: number) =>
  Math.hypot(y + 1.402 * red, y - 0.344 * blue - 0.714 * red, y + 1.772 * blue) / Math.sqrt(3)

/** By luma, 0 to 255: lightening is reversed near white, which would clip it. */
const brightening = Float32Array.from({ length: 256 }, (_, luma) => 1 - 2 * smoothstep(205, 245, luma))

/** The shift, reversed where luma would leave 0 to 255. */
export function reflectedLumaShift(shift: number, luma: number): number {
  const level = luma < 0 ? 0 : Math.min(255, luma | 0)
  return shift * (brightening[shift > 0 ? level : 255 - level] as number)
}

/** In place; a colour that leaves the range keeps its tint. */
export function shiftColours({ width, height, data }: Picture, shift: ColourShift): void {
  const rows = [shift.y, shift.blue, shift.red].map((values) => {
    return smoothRows({ width: shift.width, height: shift.height, data: values }, width, height)
  })
  for (let row = 0, at = 0; row < height; row++) {
    const [lights, blues, reds] = rows.map((rowOf) => rowOf(row)) as [Float32Array, Float32Array, Float32Array]
    for (let x = 0; x < width; x++, at += 4) {
      let r = data[at] as number
      let g = data[at + 1] as number
      let b = data[at + 2] as number
      const light = reflectedLumaShift(lights[x] as number, 0.299 * r + 0.587 * g + 0.114 * b)
      const blue = blues[x] as number
      const red = reds[x] as number
      r += light + 1.402 * red
      g += light - 0.344 * blue - 0.714 * red
      b += light + 1.772 * blue
      const over = Math.max(0, r - 255, g - 255, b - 255) + Math.min(0, r, g, b)
      data[at] = r - over
      data[at + 1] = g - over
      data[at + 2] = b - over
    }
  }
}

/** Paid part of a result; planes are `workStep` times smaller than the result. */
export interface WorkArea {
  /** 0 where the result equals the input, 1 inside the work, with a soft border. */
  share: Plane
  /** 1 where the input is grey and only has got colours, which are the work. */
  colour: Plane
}

const workStep = 3
/** In levels: not the work, and surely the work. */
const workDifference = { none: 1, sure: 4 }
/** In levels: only colours have changed, and the light has changed too. */
const lightDifference = { same: 2, other: 8 }
/** Chroma of the input in levels: colours of a person whose light was matched are not the work. */
const inputChroma = { grey: 6, coloured: 16 }
/** As a share of the longer side. */
const border = 0.012

/** Undefined, meaning all of the result, if the sizes differ. */
export function workArea(result: Picture, input: Picture | undefined): WorkArea | undefined {
  const { width, height, data } = result
  if (!input || input.width !== width || input.height !== height) return undefined
  const other = input.data
  const [changed, recoloured] = [createPlane(width, height), createPlane(width, height)]
  for (let i = 0, at = 0; at < data.length; i++, at += 4) {
    const red = (data[at] as number) - (other[at] as number)
    const green = (data[at + 1] as number) - (other[at + 1] as number)
    const blue = (data[at + 2] as number) - (other[at + 2] as number)
    const alpha = (data[at + 3] as number) - (other[at + 3] as number)
    const most = Math.max(Math.abs(red), Math.abs(green), Math.abs(blue), Math.abs(alpha))
    if (most <= workDifference.none) continue
    const share = ramp(workDifference.none, workDifference.sure, most)
    changed.data[i] = share
    const light = Math.abs(luma(red, green, blue))
    const [r, g, b] = [other[at] as number, other[at + 1] as number, other[at + 2] as number]
    const chroma = Math.max(r, g, b) - Math.min(r, g, b)
    if (data[at + 3] === 255)
      recoloured.data[i] =
        share *
        (1 - ramp(lightDifference.same, lightDifference.other, light)) *
        (1 - ramp(inputChroma.grey, inputChroma.coloured, chroma))
  }
  const size = { width: Math.ceil(width / workStep), height: Math.ceil(height / workStep) }
  const radius = Math.max(1, border * Math.max(size.width, size.height))
  const share = feather(resizePlane(changed, size), radius)
  const colour = feather(resizePlane(recoloured, size), radius)
  for (let i = 0; i < share.data.length; i++) {
    const found = share.data[i] as number
    colour.data[i] = found > 0.01 ? Math.min(1, (colour.data[i] as number) / found) : 0
    // A touched pixel counts whole; noise of a codec does not.
    share.data[i] = ramp(0.1, 0.5, found)
  }
  return { share: feather(share, radius), colour }
}

export function resizeWork({ share, colour }: WorkArea, size: Size): WorkArea {
  return { share: resizePlane(share, size), colour: resizePlane(colour, size) }
}

/** Deviation in pixels for a picture of 640 pixels. */
const displacementPixels = 1.7

/** Deviation of the displacement in pixels. */
export const displacementReach = ({ width, height }: Size): number =>
  (displacementPixels * Math.max(width, height)) / 640

/** The picture's own displacement in units of {@link displacementReach}. */
export function displacementNoise(size: Size, draws: WatermarkRandomness): { right: Plane; down: Plane } {
  const draw = draws.own('places')
  const reach = ownReach * Math.max(size.width, size.height)
  return { right: smoothNoise(size, reach, draw), down: smoothNoise(size, reach, draw) }
}
