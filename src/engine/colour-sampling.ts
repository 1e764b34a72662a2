import { floats } from './arena.ts'
import type { Picture, Plane } from './picture.ts'

const rays = 5
/** Neighbouring pixels look in different directions, in so many ways. */
const turns = 16
/** Colour difference, 0 to 1, of subject and background at which a pair of samples says half of what it could. */
const separation = 0.12
/** Deviation of a pixel from the mixture of two samples, 0 to 1, at which the pair says little. */
const deviation = 0.035

/** Steps along a ray grow with the distance: what is far away needs no exact place. */
const stride = (away: number): number => 1 + (away >> 3)

export interface Sampled {
  /** Alpha that the best pair of colours explains; meaningful where the pixel is unknown. */
  alpha: Float32Array
  /** How far that alpha is to be believed, 0 to 1; 0 where no pair explains the pixel, or both colours are alike. */
  confidence: Float32Array
}

/**
 * Alpha of the unknown pixels from known colours nearby: along several rays the first subject and the first background colour are taken,
 * and the pair counts that mixes best to the pixel's own colour from not too far away (after Gastal and Oliveira 2010).
 * `known` holds 0 or 1 where `unknown` is 0; rays begin `gap` pixels away, which need not
 * be looked at, and end after `reach`.
 */
export function sampleColours(
  picture: Picture,
  known: Plane,
  unknown: Uint8Array,
  gap: Float32Array,
  reach: number,
): Sampled {
  const { width, height, data } = picture
  const alpha = floats(width * height)
  const confidence = floats(width * height)
  const front = new Int32Array(rays)
  const back = new Int32Array(rays)
  const frontAway = new Float32Array(rays)
  const backAway = new Float32Array(rays)
  const { across, down } = rayOffsets(reach)
  for (let i = 0; i < unknown.length; i++) {
    if (unknown[i] === 0) continue
    const x = i % width
    const y = (i - x) / width
    let fronts = 0
    let backs = 0
    const turn = ((x * 7 + y * 13) % turns) * rays
    const first = Math.max(1, Math.floor(gap[i] as number))
    for (let ray = 0; ray < rays; ray++) {
      const offset = (turn + ray) * (reach + 1)
      let sawFront = false
      let sawBack = false
      for (let step = first; step <= reach; step += stride(step)) {
        const u = x + (across[offset + step] as number)
        const v = y + (down[offset + step] as number)
        if (u < 0 || v < 0 || u >= width || v >= height) break
        const at = v * width + u
        if (unknown[at] === 1) continue
        if ((known.data[at] as number) > 0.5) {
          if (!sawFront) {
            frontAway[fronts] = step
            front[fronts++] = 4 * at
            if (sawBack) break
          }
          sawFront = true
        } else {
          if (!sawBack) {
            backAway[backs] = step
            back[backs++] = 4 * at
            if (sawFront) break
          }
          sawBack = true
        }
      }
    }
    if (fronts === 0 || backs === 0) continue
    const r = data[4 * i] as number
    const g = data[4 * i + 1] as number
    const b = data[4 * i + 2] as number
    let least = Infinity
    let [apart, wrong] = [0, 0]
    for (let f = 0; f < fronts; f++) {
      const at = front[f] as number
      const fr = data[at] as number
      const fg = data[at + 1] as number
      const fb = data[at + 2] as number
      for (let k = 0; k < backs; k++) {
        const other = back[k] as number
        const br = data[other] as number
        const bg = data[other + 1] as number
        const bb = data[other + 2] as number
        const dr = fr - br
        const dg = fg - bg
        const db = fb - bb
        const length = dr * dr + dg * dg + db * db + 1
        const share = Math.min(Math.max(((r - br) * dr + (g - bg) * dg + (b - bb) * db) / length, 0), 1)
        const er = r - br - share * dr
        const eg = g - bg - share * dg
        const eb = b - bb - share * db
        const miss = er * er + eg * eg + eb * eb
        const cost = miss + 0.6 * ((frontAway[f] as number) + (backAway[k] as number))
        if (cost >= least) continue
        least = cost
        alpha[i] = share
        apart = length / (255 * 255)
        wrong = miss / (255 * 255)
      }
    }
    confidence[i] = (apart / (apart + separation ** 2)) * Math.exp(-wrong / (2 * deviation ** 2))
  }
  return { alpha, confidence }
}

/** Whole-pixel offsets of every step of every ray, `reach` + 1 a ray. */
function rayOffsets(reach: number): { across: Int16Array; down: Int16Array } {
  const across = new Int16Array(turns * rays * (reach + 1))
  const down = new Int16Array(across.length)
  for (let turn = 0, k = 0; turn < turns; turn++) {
    for (let ray = 0; ray < rays; ray++) {
      const angle = (2 * Math.PI * (ray + turn / turns)) / rays
      for (let step = 0; step <= reach; step++, k++) {
        across[k] = Math.round(step * Math.cos(angle))
        down[k] = Math.round(step * Math.sin(angle))
      }
    }
  }
  return { across, down }
}
