import { channels, type Level, mirroredPairs, reach } from './level.ts'
import { anySource, createMatches, type Matches } from './matches.ts'
import { bestSource, createSourceLookup, measureChange } from './sources.ts'
import { createUrgencyQueue, measureUrgency } from './urgency.ts'

/** Rounds, at most, that make a smooth guess. */
const maxRounds = 200
/**
 * Weight of the guess inside the hole beside what is known. An unsure one decides between patches
 * that fit alike, so that nothing foreign grows where all around is calm, and is too little to keep
 * a horizon from going on; a sure one knows where it goes on.
 */
const guessWeight = { unsure: 0.05, sure: 0.3 }
/** How far from a new patch, in pixels, the urgency of others changes. */
const affected = 2 * reach + 1

export interface StructureOptions {
  /** The level's pixels with a guess of the hole's colours; without it one is made. */
  guess?: Uint8Array | undefined
  /** How sure the guess is, 0 to 1. */
  sure: number
  /** Whether patches are looked for around each place rather than all over the level. */
  nearby: boolean
}

/**
 * Fills the hole of the coarsest level patch by patch, edges and lines first (Criminisi, Pérez and
 * Toyama 2004), each with the best of all patches, and returns where every pixel came from.
 */
export function fillStructure(
  level: Level,
  random: (limit: number) => number,
  { guess, sure, nearby }: StructureOptions,
): Matches {
  const { width, height, pixels, hole, source } = level
  const matches = createMatches(level)
  const sourcesFor = createSourceLookup(level, nearby)
  const known = new Uint8Array(width * height)
  const confidence = new Float32Array(width * height)
  const open = new Uint8Array(width * height)
  const inside = level.targets.filter((i) => hole[i] === 1)
  for (const i of inside) open[i] = 1
  for (let y = reach; y < height - reach; y++) {
    for (let x = reach; x < width - reach; x++) {
      const i = y * width + x
      if (hole[i] === 0) known[i] = confidence[i] = 1
    }
  }
  if (guess) {
    pixels.set(guess)
    mirrorMargin(level)
  } else fillSmoothly(level, inside)
  const trust = guessWeight.unsure + sure * (guessWeight.sure - guessWeight.unsure)
  const usual = measureChange(level)
  const queue = createUrgencyQueue(width * height)
  const assess = (i: number): void => {
    const urgency = measureUrgency(level, i, known, confidence)
    if (urgency >= 0) queue.set(i, urgency)
  }
  inside.forEach(assess)
  for (let place = queue.first(); place >= 0; place = queue.first()) {
    const match = bestSource(level, sourcesFor(place), known, place, usual, trust)
    let certain = 0
    for (let v = -reach; v <= reach; v++) {
      for (let u = -reach; u <= reach; u++) certain += confidence[place + v * width + u] as number
    }
    for (let v = -reach; v <= reach; v++) {
      for (let u = -reach; u <= reach; u++) {
        const shift = v * width + u
        if (open[place + shift] === 0) continue
        pixels.copyWithin((place + shift) * channels, (match + shift) * channels, (match + shift + 1) * channels)
        matches.centre[place + shift] = source[match + shift] === 1 ? match + shift : match
        known[place + shift] = 1
        confidence[place + shift] = certain / (2 * reach + 1) ** 2
        open[place + shift] = 0
        queue.delete(place + shift)
      }
    }
    for (let v = -affected; v <= affected; v++) {
      for (let i = place + v * width - affected; i <= place + v * width + affected; i++) {
        if (open[i] === 1) assess(i)
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

/** A membrane over the hole: every pixel the mean of its neighbours. */
function fillSmoothly(level: Level, inside: Int32Array): void {
  const { width, pixels, deepest } = level
  const mirrored = mirroredPairs(level)
  const rounds = Math.min(maxRounds, 4 * deepest)
  const values = new Float32Array(width * level.height)
  for (let c = 0; c < channels; c++) {
    for (let i = 0; i < values.length; i++) values[i] = pixels[channels * i + c] as number
    for (let round = 0; round < rounds; round++) {
      for (const i of inside) {
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
    for (const i of inside) pixels[channels * i + c] = Math.min(255, Math.max(0, Math.round(values[i] as number)))
  }
  mirrorMargin(level)
}
