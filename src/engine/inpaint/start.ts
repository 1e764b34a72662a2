import { channels, type Level, mirroredPairs, reach } from './level.ts'
import { anySource, createMatches, type Matches } from './matches.ts'

const maxSources = 4000
/**
 * Weight of the smooth guess inside the hole beside what is known: it decides between patches that fit alike, so that nothing foreign
 * grows where all around is calm, and is too little to keep a horizon from going on.
 */
const guess = 0.05

/**
 * Fills the hole of the coarsest level patch by patch, edges and lines first (Criminisi, Pérez and Toyama 2004), each with the best of
 * all patches, and returns where every pixel came from.
 */
export function fillStructure(level: Level, random: (limit: number) => number): Matches {
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
  fillSmoothly(level, open)
  while (open.size > 0) {
    const place = mostUrgent(level, open, known, confidence)
    if (place < 0) break
    const match = bestSource(level, sources, known, place)
    let sure = 0
    for (let v = -reach; v <= reach; v++) {
      for (let u = -reach; u <= reach; u++) sure += confidence[place + v * width + u] as number
    }
    for (let v = -reach; v <= reach; v++) {
      for (let u = -reach; u <= reach; u++) {
        const shift = v * width + u
        if (!open.has(place + shift)) continue
        pixels.copyWithin((place + shift) * channels, (match + shift) * channels, (match + shift + 1) * channels)
        matches.centre[place + shift] = source[match + shift] === 1 ? match + shift : match
        known[place + shift] = 1
        confidence[place + shift] = sure / (2 * reach + 1) ** 2
        open.delete(place + shift)
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

/** The pixel at the edge of what is known whose surroundings are surest and whose edges run into the hole most. */
function mostUrgent({ width, pixels }: Level, open: Set<number>, known: Uint8Array, confidence: Float32Array): number {
  const grey = (i: number): number =>
    (2 * (pixels[4 * i] as number) + 5 * (pixels[4 * i + 1] as number) + (pixels[4 * i + 2] as number)) / 8
  let best = -1
  let most = -1
  for (const i of open) {
    const left = known[i - 1] as number
    const right = known[i + 1] as number
    const above = known[i - width] as number
    const below = known[i + width] as number
    if (left + right + above + below === 0) continue
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
    const urgency = (sure / (2 * reach + 1) ** 2) * (flow + 0.02)
    if (urgency > most) {
      most = urgency
      best = i
    }
  }
  return best
}

/** The patch most like what is known around a pixel; nearer ones win over equal ones. */
function bestSource(level: Level, sources: Int32Array, known: Uint8Array, place: number): number {
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
    const away = Math.hypot((at % width) - placeX, Math.floor(at / width) - placeY) / width
    let sum = away * certain.length * 40
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
      sum += guess * off
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
