import { channels, type Level, mirroredPairs, reach } from './level.ts'
import { anySource, createMatches, type Matches } from './matches.ts'

const maxSources = 4000
/**
 * Weight of the guess inside the hole beside what is known. A smooth one decides between patches
 * that fit alike, so that nothing foreign grows where all around is calm, and is too little to keep
 * a horizon from going on; one of regions knows where they go on.
 */
const guess = { smooth: 0.05, regions: 0.3 }
/**
 * Weight, for what is not known, of the change between a patch and its place: water is filled from
 * the same height, not with a sky of its colour.
 */
const drift = 0.3
/** How far from a new patch, in pixels, the urgency of others changes. */
const affected = 2 * reach + 1
/** Pairs of pixels, at most, that changes are measured with. */
const maxPairs = 4e6

/**
 * Fills the hole of the coarsest level patch by patch, edges and lines first (Criminisi, Pérez and
 * Toyama 2004), each with the best of all patches, and returns where every pixel came from.
 * `guessed` are the pixels with a guess of the hole's colours that is `sure`, 0 to 1; without it
 * one is made that is smooth.
 */
export function fillStructure(
  level: Level,
  random: (limit: number) => number,
  guessed?: Uint8Array,
  sure = 0,
): Matches {
  const { width, height, pixels, hole, source } = level
  const matches = createMatches(level)
  const sources = listSources(level)
  const known = new Uint8Array(width * height)
  const confidence = new Float32Array(width * height)
  const open = new Set<number>()
  for (let y = reach; y < height - reach; y++) {
    for (let x = reach; x < width - reach; x++) {
      const i = y * width + x
      if (hole[i] === 1) open.add(i)
      else known[i] = confidence[i] = 1
    }
  }
  if (guessed) {
    pixels.set(guessed)
    mirrorMargin(level)
  } else fillSmoothly(level, open)
  const trust = guess.smooth + sure * (guess.regions - guess.smooth)
  const usual = measureChange(level)
  const urgency = new Float64Array(width * height)
  for (const i of open) urgency[i] = measureUrgency(level, i, known, confidence)
  while (open.size > 0) {
    const place = mostUrgent(open, urgency)
    if (place < 0) break
    const match = bestSource(level, sources, known, place, usual, trust)
    let certain = 0
    for (let v = -reach; v <= reach; v++) {
      for (let u = -reach; u <= reach; u++) certain += confidence[place + v * width + u] as number
    }
    for (let v = -reach; v <= reach; v++) {
      for (let u = -reach; u <= reach; u++) {
        const shift = v * width + u
        if (!open.has(place + shift)) continue
        pixels.copyWithin((place + shift) * channels, (match + shift) * channels, (match + shift + 1) * channels)
        matches.centre[place + shift] = source[match + shift] === 1 ? match + shift : match
        known[place + shift] = 1
        confidence[place + shift] = certain / (2 * reach + 1) ** 2
        open.delete(place + shift)
      }
    }
    for (let v = -affected; v <= affected; v++) {
      for (let i = place + v * width - affected; i <= place + v * width + affected; i++) {
        if (open.has(i)) urgency[i] = measureUrgency(level, i, known, confidence)
      }
    }
  }
  mirrorMargin(level)
  for (const i of level.targets) {
    if (matches.centre[i] === -1) matches.centre[i] = anySource(source, random)
  }
  return matches
}

/** Repeats the estimate in the margin beyond the picture's borders. */
export function mirrorMargin(level: Level): void {
  const all = new Uint32Array(level.pixels.buffer)
  for (const [i, from] of mirroredPairs(level)) all[i] = all[from] as number
}

function listSources({ source, sourceCount }: Level): Int32Array {
  const step = Math.max(1, sourceCount / maxSources)
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

/** The most urgent pixel, or −1 where none is. */
function mostUrgent(open: Set<number>, urgency: Float64Array): number {
  let best = -1
  let most = -1
  for (const i of open) {
    if ((urgency[i] as number) <= most) continue
    most = urgency[i] as number
    best = i
  }
  return best
}

/**
 * How sure the surroundings of a pixel are and how strongly their edges run into the hole; −1 where
 * nothing beside it is known.
 */
function measureUrgency({ width, pixels }: Level, i: number, known: Uint8Array, confidence: Float32Array): number {
  const grey = (j: number): number =>
    (2 * (pixels[4 * j] as number) + 5 * (pixels[4 * j + 1] as number) + (pixels[4 * j + 2] as number)) / 8
  const left = known[i - 1] as number
  const right = known[i + 1] as number
  const above = known[i - width] as number
  const below = known[i + width] as number
  if (left + right + above + below === 0) return -1
  let sure = 0
  let strongest = 0
  let across = 0
  let down = 0
  for (let v = -reach; v <= reach; v++) {
    for (let u = -reach; u <= reach; u++) {
      const j = i + v * width + u
      sure += confidence[j] as number
      if (!(known[j] && known[j + 1] && known[j - 1] && known[j + width] && known[j - width])) continue
      const dx = grey(j + 1) - grey(j - 1)
      const dy = grey(j + width) - grey(j - width)
      const strength = dx * dx + dy * dy
      if (strength > strongest) {
        strongest = strength
        across = dx
        down = dy
      }
    }
  }
  const nx = right - left
  const ny = below - above
  const length = Math.hypot(nx, ny) || 1
  const flow = Math.abs(nx * -down + ny * across) / (length * 255)
  return (sure / (2 * reach + 1) ** 2) * (flow + 0.02)
}

/**
 * Mean squared differences, summed over the channels, of pixels so many columns, or rows, apart.
 */
interface Change {
  across: Float32Array
  down: Float32Array
}

/**
 * How much more a picture changes along one axis than along the other, and than within a patch,
 * where it is known (the difference of the variograms along both axes, Matheron 1963): from row to
 * row where sky, shore and water lie above each other, nothing in texture.
 */
function measureChange({ width, height, pixels, hole }: Level): Change {
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
function bestSource(
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

/** A membrane over the hole: every pixel the mean of its neighbours. */
function fillSmoothly(level: Level, open: Set<number>): void {
  const { width, pixels } = level
  const mirrored = mirroredPairs(level)
  for (let c = 0; c < channels; c++) {
    const values = Float32Array.from({ length: pixels.length / channels }, (_, i) => pixels[channels * i + c] as number)
    for (let round = 0; round < 200; round++) {
      for (const i of open) {
        const mean =
          ((values[i - 1] as number) +
            (values[i + 1] as number) +
            (values[i - width] as number) +
            (values[i + width] as number)) /
          4
        values[i] = (values[i] as number) + 1.6 * (mean - (values[i] as number))
      }
      for (const [i, from] of mirrored) values[i] = values[from] as number
    }
    for (const i of open) pixels[channels * i + c] = Math.min(255, Math.max(0, Math.round(values[i] as number)))
  }
  mirrorMargin(level)
}
