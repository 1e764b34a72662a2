// The attacker has the source code, the input and many previews of its crops, but not the secret.
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { boxBlur, feather, resizePlane, valueAt } from '#engine/image/plane.ts'
import { smoothMap } from '#engine/image/smooth-map.ts'
import type { Letters } from '#engine/watermark/watermark-letters.ts'

/** RGBA planes, 0 to 255, colours on white. */
export type Channels = readonly Plane[]

const colours = [0, 1, 2] as const

export function channelsOf({ width, height, data }: Picture): Channels {
  const channels = [0, 1, 2, 3].map(() => createPlane(width, height))
  for (let i = 0; i < width * height; i++) {
    const alpha = (data[4 * i + 3] as number) / 255
    for (const c of colours) (channels[c] as Plane).data[i] = alpha * (data[4 * i + c] as number) + 255 * (1 - alpha)
    ;(channels[3] as Plane).data[i] = 255 * alpha
  }
  return channels
}

/** PSNR in dB, where `weight` is above a half. */
export function decibels(
  one: Channels,
  other: Channels,
  weight?: Plane,
  channels: readonly number[] = colours,
): number {
  let [squares, count] = [0, 0]
  for (const c of channels) {
    const [a, b] = [one[c] as Plane, other[c] as Plane]
    for (let i = 0; i < a.data.length; i++) {
      if (weight && (weight.data[i] as number) <= 0.5) continue
      squares += ((a.data[i] as number) - (b.data[i] as number)) ** 2
      count++
    }
  }
  return count === 0 ? Number.NaN : 10 * Math.log10((255 ** 2 * count) / Math.max(1e-9, squares))
}

/** By their own coverage: the bound of any search for their parameters. */
export function withoutLetters(sample: Picture, { light, dark }: Letters): Picture {
  const data = sample.data.slice()
  for (let i = 0, at = 0; at < data.length; i++, at += 4) {
    const ink = light.data[i] as number
    const added = ink + (dark.data[i] as number)
    const alpha = (data[at + 3] as number) / 255
    const stays = Math.max(0, alpha - added)
    for (let c = at; c < at + 3; c++) {
      data[c] = stays > 0.01 ? (alpha * (data[c] as number) - 255 * ink) / stays : 0
    }
    data[at + 3] = (255 * stays) / (1 - added)
  }
  return { ...sample, data }
}

const map = (planes: Channels, change: (plane: Plane) => Plane): Plane[] => planes.map(change)

export const blurred = (planes: Channels, radius: number): Channels => map(planes, (plane) => boxBlur(plane, radius))

/** Median of 3 × 3 pixels. */
export function denoised(planes: Channels): Channels {
  return map(planes, (plane) => {
    const { width, height, data } = plane
    const out = createPlane(width, height)
    const near = new Float32Array(9)
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        let n = 0
        for (let dy = -1; dy <= 1; dy++) {
          for (let dx = -1; dx <= 1; dx++) {
            const row = Math.min(height - 1, Math.max(0, y + dy))
            near[n++] = data[row * width + Math.min(width - 1, Math.max(0, x + dx))] as number
          }
        }
        out.data[y * width + x] = near.sort()[4] as number
      }
    }
    return out
  })
}

/** Removes slow changes of light and colour. */
export function flattened(planes: Channels, radius: number): Channels {
  return map(planes, (plane) => {
    const wide = feather(plane, radius)
    const mean = plane.data.reduce((sum, value) => sum + value, 0) / plane.data.length
    return { ...plane, data: plane.data.map((value, i) => value - 0.3 * ((wide.data[i] as number) - mean)) }
  })
}

/** Unsharp masking, against the blur of averages. */
export function sharpened(planes: Channels, amount: number): Channels {
  const soft = blurred(planes, 1)
  return planes.map((plane, c) => {
    const low = (soft[c] as Plane).data
    const sharp = plane.data.map((value, i) => value + amount * (value - (low[i] as number)))
    return { ...plane, data: sharp.map((value) => Math.min(255, Math.max(0, value))) }
  })
}

export interface Displacement {
  right: Plane
  down: Plane
}

export function displaced(planes: Channels, { right, down }: Displacement): Channels {
  return map(planes, (plane) => {
    const out = createPlane(plane.width, plane.height)
    for (let y = 0, i = 0; y < plane.height; y++) {
      for (let x = 0; x < plane.width; x++, i++) {
        out.data[i] = valueAt(plane, x + (right.data[i] as number), y + (down.data[i] as number))
      }
    }
    return out
  })
}

function lumaPlane(planes: Channels): Plane {
  const [r, g, b] = planes as [Plane, Plane, Plane]
  const luma = {
    ...r,
    data: r.data.map((value, i) => 0.3 * value + 0.59 * (g.data[i] as number) + 0.11 * (b.data[i] as number)),
  }
  // Light that changes slowly is no movement.
  const wide = feather(luma, 10)
  return { ...luma, data: luma.data.map((value, i) => value - (wide.data[i] as number)) }
}

/**
 * Displacement of `moving` (Lucas and Kanade 1981, over windows, repeated) where `known` has
 * weight; continued smoothly elsewhere.
 */
export function register(reference: Channels, moving: Channels, known?: Plane): Displacement {
  const still = lumaPlane(reference)
  const { width, height } = still
  let found: Displacement = { right: createPlane(width, height), down: createPlane(width, height) }
  const window = Math.round(Math.max(width, height) / 40)
  for (let round = 0; round < 5; round++) {
    const now = lumaPlane(displaced(moving, found))
    const products = [0, 1, 2, 3, 4].map(() => createPlane(width, height))
    for (let y = 1; y < height - 1; y++) {
      for (let x = 1; x < width - 1; x++) {
        const i = y * width + x
        const weight = known ? (known.data[i] as number) : 1
        const dx = ((now.data[i + 1] as number) - (now.data[i - 1] as number)) / 2
        const dy = ((now.data[i + width] as number) - (now.data[i - width] as number)) / 2
        const dt = (still.data[i] as number) - (now.data[i] as number)
        const values = [dx * dx, dx * dy, dy * dy, dx * dt, dy * dt]
        for (let p = 0; p < 5; p++) (products[p] as Plane).data[i] = weight * (values[p] as number)
      }
    }
    const [xx, xy, yy, xt, yt] = products.map((plane) => feather(plane, window)) as [Plane, Plane, Plane, Plane, Plane]
    const next = { right: createPlane(width, height), down: createPlane(width, height) }
    const trust = createPlane(width, height)
    for (let i = 0; i < trust.data.length; i++) {
      const [a, b, c] = [(xx.data[i] as number) + 4, xy.data[i] as number, (yy.data[i] as number) + 4]
      const determinant = a * c - b * b
      const [p, q] = [xt.data[i] as number, yt.data[i] as number]
      const limit = (value: number) => Math.min(1.5, Math.max(-1.5, value))
      next.right.data[i] = (found.right.data[i] as number) + limit((c * p - b * q) / determinant)
      next.down.data[i] = (found.down.data[i] as number) + limit((a * q - b * p) / determinant)
      trust.data[i] = known && (known.data[i] as number) < 0.5 ? 0 : 1
    }
    found = known
      ? { right: smoothMap(next.right, trust, window / 2), down: smoothMap(next.down, trust, window / 2) }
      : next
  }
  return found
}

/** Mean or median of aligned pictures. */
export function combined(samples: readonly Channels[], weights: readonly Plane[], middle: boolean): Channels {
  const [first] = samples as [Channels]
  return first.map((plane, c) => {
    const out = createPlane(plane.width, plane.height)
    const values: number[] = []
    for (let i = 0; i < out.data.length; i++) {
      values.length = 0
      samples.forEach((sample, s) => {
        if (((weights[s] as Plane).data[i] as number) > 0.5) values.push((sample[c] as Plane).data[i] as number)
      })
      if (middle) values.sort((a, b) => a - b)
      const half = values.length >> 1
      out.data[i] = middle
        ? ((values[half] as number) + (values[values.length - 1 - half] as number)) / 2
        : values.reduce((sum, value) => sum + value, 0) / values.length
    }
    return out
  })
}

/** Colour shifts outside the work, continued smoothly into it and removed. */
export function extrapolated(sample: Channels, input: Channels, work: Plane, reach: number): Channels {
  const known = { ...work, data: work.data.map((share) => (share > 0.02 ? 0 : 1)) }
  return sample.map((plane, c) => {
    const own = input[c] as Plane
    const seen = { ...plane, data: plane.data.map((value, i) => value - (own.data[i] as number)) }
    const shift = smoothMap(seen, known, reach)
    return { ...plane, data: plane.data.map((value, i) => value - (shift.data[i] as number)) }
  })
}

/** A sample and the result it shows, known where `weight` is above a half, or everywhere. */
export interface KnownPair {
  sample: Channels
  result: Channels
  weight?: Plane
}

/** Mean shift of each colour cell, applied to other samples. */
export function learnShifts(pairs: readonly KnownPair[], cells = 10): (sample: Channels) => Channels {
  const keyOf = (sample: Channels) => {
    const soft = blurred(sample, 2)
    const cell = (c: number, i: number) =>
      Math.min(cells - 1, Math.max(0, Math.floor((((soft[c] as Plane).data[i] as number) / 256) * cells)))
    return (i: number) => (cell(0, i) * cells + cell(1, i)) * cells + cell(2, i)
  }
  const sums = colours.map(() => new Float64Array(cells ** 3))
  const counts = new Float64Array(cells ** 3)
  for (const { sample, result, weight } of pairs) {
    const key = keyOf(sample)
    for (let i = 0; i < (sample[0] as Plane).data.length; i++) {
      if (weight && (weight.data[i] as number) <= 0.5) continue
      const at = key(i)
      counts[at] = (counts[at] as number) + 1
      for (const c of colours) {
        const sum = sums[c] as Float64Array
        const shift = ((sample[c] as Plane).data[i] as number) - ((result[c] as Plane).data[i] as number)
        sum[at] = (sum[at] as number) + shift
      }
    }
  }
  return (sample) => {
    const key = keyOf(sample)
    return sample.map((plane, c) => {
      const sum = sums[c]
      if (!sum) return plane
      const data = plane.data.map((value, i) => {
        const at = key(i)
        return (counts[at] as number) > 4 ? value - (sum[at] as number) / (counts[at] as number) : value
      })
      return { ...plane, data }
    })
  }
}

/** Quadratic function of the input's colours, fitted to the sample by least squares. */
export function refitted(sample: Channels, input: Channels): Channels {
  const terms = (i: number) => {
    const [r, g, b] = colours.map((c) => ((input[c] as Plane).data[i] as number) / 255) as [number, number, number]
    return [1, r, g, b, r * r, g * g, b * b, r * g, g * b, r * b]
  }
  const size = 10
  const normal = Array.from({ length: size }, () => new Float64Array(size + 3))
  for (let i = 0; i < (sample[0] as Plane).data.length; i += 3) {
    const row = terms(i)
    const wanted = colours.map((c) => (sample[c] as Plane).data[i] as number)
    for (let a = 0; a < size; a++) {
      const line = normal[a] as Float64Array
      for (let b = 0; b < size; b++) line[b] = (line[b] as number) + (row[a] as number) * (row[b] as number)
      for (const c of colours) line[size + c] = (line[size + c] as number) + (row[a] as number) * (wanted[c] as number)
    }
  }
  for (let a = 0; a < size; a++) (normal[a] as Float64Array)[a] = ((normal[a] as Float64Array)[a] as number) + 1e-3
  eliminate(normal)
  return sample.map((plane, c) => {
    if (c === 3) return plane
    const data = plane.data.map((_, i) =>
      terms(i).reduce((sum, term, a) => sum + term * ((normal[a] as Float64Array)[size + c] as number), 0),
    )
    return { ...plane, data }
  })
}

/** Gauss–Jordan, in place; solutions are at the right. */
function eliminate(rows: Float64Array[]): void {
  for (const [a, pivot] of rows.entries()) {
    const scale = pivot[a] as number
    for (let k = 0; k < pivot.length; k++) pivot[k] = (pivot[k] as number) / scale
    for (const [b, row] of rows.entries()) {
      if (a === b) continue
      const share = row[a] as number
      for (let k = 0; k < row.length; k++) row[k] = (row[k] as number) - share * (pivot[k] as number)
    }
  }
}

/** Light of the input with the sample's colours. */
export function withLightOf(sample: Channels, input: Channels): Channels {
  const luma = (planes: Channels, i: number) =>
    0.299 * ((planes[0] as Plane).data[i] as number) +
    0.587 * ((planes[1] as Plane).data[i] as number) +
    0.114 * ((planes[2] as Plane).data[i] as number)
  return sample.map((plane, c) => {
    if (c === 3) return plane
    return { ...plane, data: plane.data.map((value, i) => value + luma(input, i) - luma(sample, i)) }
  })
}

export function mixed(one: Channels, other: Channels, share: number): Channels {
  return one.map((plane, c) => {
    const data = plane.data.map((value, i) => value + share * (((other[c] as Plane).data[i] as number) - value))
    return { ...plane, data }
  })
}

/** The sample's transparency, steepened, over the input's colours, on white. */
export function recut(sample: Channels, input: Channels, steepness: number): Channels {
  const alpha = sample[3] as Plane
  const cut = {
    ...alpha,
    data: alpha.data.map((value) => Math.min(255, Math.max(0, 127.5 + steepness * (value - 127.5)))),
  }
  return [
    ...colours.map((c) => {
      const own = (input[c] as Plane).data
      return { ...alpha, data: cut.data.map((share, i) => 255 + (share / 255) * ((own[i] as number) - 255)) }
    }),
    cut,
  ]
}

export const resized = (planes: Channels, size: Size): Channels => map(planes, (plane) => resizePlane(plane, size))
