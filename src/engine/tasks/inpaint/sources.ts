import { channels, type Level, reach } from './level.ts'

/** Patches looked at for a place all over the level, alone and beside those around the place. */
const maxSources = { alone: 4000, beside: 500 }
/** Around a place patches are looked at every `step` pixels as far away as `far`, in pixels. */
const rings = [
  { step: 2, far: 24 },
  { step: 6, far: 72 },
]
/**
 * Weight, for what is not known, of the change between a patch and its place: water is filled from
 * the same height, not with a sky of its colour.
 */
const drift = 0.3
/** Pairs of pixels, at most, that changes are measured with. */
const maxPairs = 4e6

/**
 * Gives the patches to look at for a place, the nearest first: with `nearby` those around it and a
 * few from all over the level, else as many from all over the level as time allows. Valid until it
 * is called for the next place.
 */
export function createSourceLookup(level: Level, nearby: boolean): (place: number) => Int32Array {
  const all = listSources(level, nearby ? maxSources.beside : maxSources.alone)
  if (!nearby) return () => all
  const { width, height, source } = level
  const offsets = listOffsets()
  const list = new Int32Array(offsets.length + all.length)
  return (place) => {
    const placeX = place % width
    const placeY = (place / width) | 0
    let count = 0
    for (const [u, v] of offsets) {
      const x = placeX + u
      const y = placeY + v
      if (x < 0 || y < 0 || x >= width || y >= height) continue
      if (source[y * width + x] === 1) list[count++] = y * width + x
    }
    list.set(all, count)
    return list.subarray(0, count + all.length)
  }
}

/** Columns and rows from a place to those around it, the nearest first. */
function listOffsets(): [number, number][] {
  const offsets: [number, number][] = []
  let covered = 0
  for (const { step, far } of rings) {
    for (let v = -far; v <= far; v += step) {
      for (let u = -far; u <= far; u += step) {
        if (Math.max(Math.abs(u), Math.abs(v)) > covered) offsets.push([u, v])
      }
    }
    covered = far
  }
  return offsets.sort((a, b) => Math.hypot(...a) - Math.hypot(...b))
}

/** Patches that may be copied, evenly chosen. */
function listSources({ source, sourceCount }: Level, most: number): Int32Array {
  const step = Math.max(1, sourceCount / most)
  const list = new Int32Array(Math.floor(sourceCount / step))
  let next = 0
  let seen = 0
  for (let i = 0; i < source.length && next < list.length; i++) {
    if (source[i] === 0) continue
    if (seen >= next * step) list[next++] = i
    seen++
  }
  return list
}

/**
 * Mean squared differences, summed over the channels, of pixels so many columns, or rows, apart.
 */
export interface Change {
  across: Float32Array
  down: Float32Array
}

/**
 * How much more a picture changes along one axis than along the other, and than within a patch,
 * where it is known (the difference of the variograms along both axes, Matheron 1963): from row to
 * row where sky, shore and water lie above each other, nothing in texture.
 */
export function measureChange({ width, height, pixels, hole }: Level): Change {
  const stride = Math.ceil((width * height * (width + height)) / maxPairs)
  const along = (horizontal: boolean): Float32Array => {
    const means = new Float32Array(horizontal ? width : height)
    const right = width - reach
    const bottom = height - reach
    for (let away = 1; away < means.length; away++) {
      const shift = away * (horizontal ? 1 : width)
      let sum = 0
      let count = 0
      for (let i = reach * width; i + shift < bottom * width; i += stride) {
        const x = i % width
        if (hole[i] === 1 || hole[i + shift] === 1 || x < reach || x + (horizontal ? away : 0) >= right) continue
        for (let k = channels * i; k < channels * (i + 1); k++) {
          sum += ((pixels[k] as number) - (pixels[k + channels * shift] as number)) ** 2
        }
        count++
      }
      means[away] = count > 0 ? sum / count : (means[away - 1] as number)
    }
    return means
  }
  const [across, down] = [along(true), along(false)]
  const beyond = (own: Float32Array, other: Float32Array): Float32Array =>
    own.map((value, away) =>
      Math.max(0, value - Math.max(own[2 * reach] as number, other[Math.min(away, other.length - 1)] as number)),
    )
  return { across: beyond(across, down), down: beyond(down, across) }
}

/**
 * The patch most like what is known around a pixel. What is not known yet counts by the guess and
 * by how much the picture usually changes from there to here; nearer ones win over equal ones.
 */
export function bestSource(
  level: Level,
  sources: Int32Array,
  known: Uint8Array,
  place: number,
  usual: Change,
  trust: number,
): number {
  const { width, pixels } = level
  const certain: number[] = []
  const guessed: number[] = []
  for (let v = -reach; v <= reach; v++) {
    for (let u = -reach; u <= reach; u++) {
      const shift = v * width + u
      if (known[place + shift] === 1) certain.push(shift)
      else guessed.push(shift)
    }
  }
  const placeX = place % width
  const placeY = Math.floor(place / width)
  let best = sources[0] as number
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < sources.length; n++) {
    const at = sources[n] as number
    const across = Math.abs((at % width) - placeX)
    const down = Math.abs(Math.floor(at / width) - placeY)
    const unlike = (usual.across[across] as number) + (usual.down[down] as number)
    let sum = (Math.hypot(across, down) / width) * certain.length * 40 + drift * guessed.length * unlike
    for (let k = 0; k < certain.length && sum < least; k++) {
      const i = 4 * (place + (certain[k] as number))
      const j = 4 * (at + (certain[k] as number))
      for (let c = 0; c < channels; c++) sum += ((pixels[i + c] as number) - (pixels[j + c] as number)) ** 2
    }
    for (let k = 0; k < guessed.length && sum < least; k++) {
      const i = 4 * (place + (guessed[k] as number))
      const j = 4 * (at + (guessed[k] as number))
      let off = 0
      for (let c = 0; c < channels; c++) off += ((pixels[i + c] as number) - (pixels[j + c] as number)) ** 2
      sum += trust * off
    }
    if (sum < least) {
      least = sum
      best = at
    }
  }
  return best
}
