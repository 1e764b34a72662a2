import { channels, type Level, reach } from './level.ts'

const samples = 120
const maxSources = 1000

interface Sample {
  x: number
  y: number
  /** Sum of the products of what was there and what was predicted, both less the mean. */
  common: number
  /** Sum of the squares of what was predicted, less the mean. */
  energy: number
}

/**
 * How well patches predict what comes next to them, for every pixel of the hole, 0 to 1: patches
 * beside the hole are matched by one half, and their other half is compared with the match's (the
 * coefficient of the linear regression of the one on the other). Near 1 where lines and repetitions
 * go on as they do elsewhere; near 0 where texture is chance, so that its mean is the best guess.
 */
export function measurePredictability(level: Level, random: (limit: number) => number): Float32Array {
  const { width, height, hole, targets } = level
  const found = sampleSurroundings(level, random)
  const out = new Float32Array(width * height)
  for (const i of targets) {
    if (hole[i] === 0) continue
    const x = i % width
    const y = (i / width) | 0
    let common = 0
    let energy = 1e-9
    for (let n = 0; n < found.length; n++) {
      const sample = found[n] as Sample
      const weight = 1 / ((x - sample.x) ** 2 + (y - sample.y) ** 2 + 4 * reach * reach)
      common += weight * sample.common
      energy += weight * sample.energy
    }
    out[i] = Math.min(1, Math.max(0, common / energy))
  }
  return out
}

function sampleSurroundings(level: Level, random: (limit: number) => number): Sample[] {
  const { width, height, hole, source, targets } = level
  const candidates = listCandidates(level)
  const halves = [0, 1, 2, 3].map((side) => splitPatch(width, side))
  const found: Sample[] = []
  const ring = 3 * reach
  for (let turn = 0; turn < 6 * samples && found.length < samples; turn++) {
    const near = targets[random(targets.length)] as number
    const x = (near % width) + random(2 * ring + 1) - ring
    const y = Math.floor(near / width) + random(2 * ring + 1) - ring
    if (hole[near] === 1 || x < 0 || y < 0 || x >= width || y >= height || source[y * width + x] === 0) continue
    const half = halves[random(4)] as Halves
    found.push({ x, y, ...comparePrediction(level, half, y * width + x, bestMatch(level, candidates, half, x, y)) })
  }
  return found
}

/** Evenly chosen sources. */
function listCandidates({ source, sourceCount }: Level): Int32Array {
  const step = Math.max(1, Math.floor(sourceCount / maxSources))
  let seen = 0
  const list: number[] = []
  for (let i = 0; i < source.length; i++) {
    if (source[i] === 1 && seen++ % step === 0) list.push(i)
  }
  return Int32Array.from(list)
}

/** Index differences from a patch's centre. */
interface Halves {
  shown: Int32Array
  hidden: Int32Array
}

/** The half at the left, right, top or bottom, with the middle, is shown. */
function splitPatch(width: number, side: number): Halves {
  const shown: number[] = []
  const hidden: number[] = []
  for (let v = -reach; v <= reach; v++) {
    for (let u = -reach; u <= reach; u++) {
      const along = [u, -u, v, -v][side] as number
      const part = along <= 0 ? shown : hidden
      part.push(v * width + u)
    }
  }
  return { shown: Int32Array.from(shown), hidden: Int32Array.from(hidden) }
}

/** The patch elsewhere whose shown half is most like that around a place, or −1. */
function bestMatch(level: Level, candidates: Int32Array, { shown }: Halves, x: number, y: number): number {
  const { width, pixels, source } = level
  const place = y * width + x
  let best = -1
  let least = 0x7fffffff
  const attempt = (at: number): void => {
    if (Math.abs((at % width) - x) <= 2 * reach && Math.abs(((at / width) | 0) - y) <= 2 * reach) return
    let sum = 0
    for (let k = 0; k < shown.length && sum < least; k++) {
      const i = channels * (place + (shown[k] as number))
      const j = channels * (at + (shown[k] as number))
      const red = (pixels[i] as number) - (pixels[j] as number)
      const green = (pixels[i + 1] as number) - (pixels[j + 1] as number)
      const blue = (pixels[i + 2] as number) - (pixels[j + 2] as number)
      sum += red * red + green * green + blue * blue
    }
    if (sum < least) {
      least = sum
      best = at
    }
  }
  for (let n = 0; n < candidates.length; n++) attempt(candidates[n] as number)
  for (let step = 2; step >= 1 && best >= 0; step--) {
    const from = best
    for (let v = -step; v <= step; v++) {
      for (let u = -step; u <= step; u++) {
        if (source[from + v * width + u] === 1) attempt(from + v * width + u)
      }
    }
  }
  return best
}

function comparePrediction({ pixels }: Level, { shown, hidden }: Halves, place: number, match: number) {
  let common = 0
  let energy = 0
  if (match < 0) return { common, energy }
  for (let c = 0; c < 3; c++) {
    let mean = 0
    for (const shift of shown) mean += (pixels[channels * (place + shift) + c] as number) / shown.length
    for (const shift of hidden) {
      const truth = (pixels[channels * (place + shift) + c] as number) - mean
      const predicted = (pixels[channels * (match + shift) + c] as number) - mean
      common += truth * predicted
      energy += predicted * predicted
    }
  }
  return { common, energy }
}
