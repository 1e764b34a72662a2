import { createPlane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { channels, mirroredPairs, type PyramidLevel, patchRadius } from './pyramid.ts'

/**
 * Expected colours inside the hole for every level, in its pixel format: a membrane (Laplace's
 * equation, known pixels as boundary), from the coarsest level, where colours also continue along
 * edges, to the finest.
 */
export function estimateHoleColours(levels: PyramidLevel[]): Uint8Array[] {
  const expected: Uint8Array[] = []
  let coarse: Float32Array | undefined
  for (let l = levels.length - 1; l >= 0; l--) {
    const level = levels[l] as PyramidLevel
    const { width, height, hole, targets } = level
    const values = new Float32Array(level.pixels)
    const inside = targets.filter((i) => hole[i] === 1 && i >= width && i < width * (height - 1))
    if (coarse) {
      enlarge(coarse, levels[l + 1] as PyramidLevel, values, level, inside)
      relax(values, level, inside, channels, 'finer')
    } else {
      solveMembrane(values, level, inside, channels)
      continueAlongEdges(values, level, inside, channels)
    }
    const colours = level.pixels.slice()
    for (const i of inside) {
      for (let k = channels * i; k < channels * (i + 1); k++) colours[k] = (values[k] as number) + 0.5
    }
    expected[l] = colours
    coarse = values
  }
  return expected
}

function enlarge(
  from: Float32Array,
  coarse: PyramidLevel,
  values: Float32Array,
  level: PyramidLevel,
  inside: Int32Array,
): void {
  for (const i of inside) {
    const x = (i % level.width) - patchRadius
    const y = Math.floor(i / level.width) - patchRadius
    const j = ((y >> 1) + patchRadius) * coarse.width + (x >> 1) + patchRadius
    for (let c = 0; c < channels; c++) values[channels * i + c] = from[channels * j + c] as number
  }
}

const membraneSweeps = { coarsest: 120, finer: 10 }
/** Over-relaxation of a sweep (Young 1954). */
const relaxation = { coarsest: 1.7, finer: 1.4 }

/** In place, over the pixels `inside`; `values` has `count` values a pixel of the level. */
export function solveMembrane(values: Float32Array, level: PyramidLevel, inside: Int32Array, count: number): void {
  startFlat(values, level, inside, count)
  relax(values, level, inside, count, 'coarsest')
}

function startFlat(values: Float32Array, { hole, targets }: PyramidLevel, inside: Int32Array, count: number): void {
  const sum = new Float64Array(count)
  let known = 0
  for (const i of targets) {
    if (hole[i] === 1) continue
    for (let c = 0; c < count; c++) sum[c] = (sum[c] as number) + (values[count * i + c] as number)
    known++
  }
  for (const i of inside) {
    for (let c = 0; c < count; c++) values[count * i + c] = (sum[c] as number) / Math.max(1, known)
  }
}

function relax(
  values: Float32Array,
  level: PyramidLevel,
  inside: Int32Array,
  count: number,
  stage: keyof typeof membraneSweeps,
): void {
  const { width } = level
  const mirrored = mirroredPairs(level)
  const row = count * width
  const step = relaxation[stage]
  for (let sweep = 0; sweep < membraneSweeps[stage]; sweep++) {
    for (const [to, from] of mirrored) {
      values.copyWithin(count * to, count * from, count * (from + 1))
    }
    for (let n = 0; n < inside.length; n++) {
      const start = count * (inside[n] as number)
      for (let k = start; k < start + count; k++) {
        const beside = (values[k - count] as number) + (values[k + count] as number)
        const upDown = (values[k - row] as number) + (values[k + row] as number)
        const own = values[k] as number
        values[k] = own + step * ((beside + upDown) / 4 - own)
      }
    }
  }
}

const near = 2
const side = 2 * near + 1
const cells = side ** 2
const strictness = 45
/** Squared change of brightness that counts as noise rather than an edge. */
const noise = 4
const edgeSweeps = 100
const edgeRelaxation = 1.5
/** Components of a structure tensor: xx, xy, yy. */
const parts = 3
const minKnownShare = 1e-3

/**
 * Continues values along the surrounding edges, in place, so that a border stays straight through
 * the hole: means along the local edge (anisotropic diffusion, Weickert 1998; weights of Bornemann
 * and März 2007), whose direction a membrane carries. `values` has `count` values a pixel and an
 * estimate for `inside`.
 */
export function continueAlongEdges(values: Float32Array, level: PyramidLevel, inside: Int32Array, count: number): void {
  const weights = weighNeighbours(extendTensors(level, inside), inside)
  const shifts = Int32Array.from(
    { length: cells },
    (_, k) => count * ((((k / side) | 0) - near) * level.width + (k % side) - near),
  )
  const mirrored = mirroredPairs(level)
  const mean = new Float64Array(count)
  for (let sweep = 0; sweep < edgeSweeps; sweep++) {
    for (const [to, from] of mirrored) values.copyWithin(count * to, count * from, count * (from + 1))
    for (let turn = 0; turn < inside.length; turn++) {
      const n = sweep % 2 === 0 ? turn : inside.length - 1 - turn
      const start = count * (inside[n] as number)
      mean.fill(0)
      for (let k = 0; k < cells; k++) {
        const weight = weights[cells * n + k] as number
        const from = start + (shifts[k] as number)
        if (weight < 1e-5) continue
        for (let c = 0; c < count; c++) mean[c] = (mean[c] as number) + weight * (values[from + c] as number)
      }
      for (let c = 0; c < count; c++) {
        const own = values[start + c] as number
        values[start + c] = own + edgeRelaxation * ((mean[c] as number) - own)
      }
    }
  }
}

function extendTensors(level: PyramidLevel, inside: Int32Array): Float32Array {
  const { hole } = level
  const measured = measureTensors(level)
  const tensors = new Float32Array(parts * hole.length)
  const known = measured[parts] as Float32Array
  for (let i = 0; i < hole.length; i++) {
    const share = known[i] as number
    for (let c = 0; c < parts && share > minKnownShare; c++) {
      tensors[parts * i + c] = ((measured[c] as Float32Array)[i] as number) / share
    }
  }
  solveMembrane(tensors, level, inside, parts)
  return tensors
}

/** Smoothed sums of the tensors' components, and the smoothed share of pixels with a tensor. */
function measureTensors({ width, height, pixels, hole }: PyramidLevel): Float32Array[] {
  const planes = Array.from({ length: parts + 1 }, () => createPlane(width, height))
  const row = channels * width
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      if (hole[i - 1] || hole[i + 1] || hole[i - width] || hole[i + width]) continue
      const sums = [0, 0, 0, 1] as [number, number, number, number]
      for (let k = channels * i; k < channels * i + 3; k++) {
        const dx = ((pixels[k + channels] as number) - (pixels[k - channels] as number)) / 2
        const dy = ((pixels[k + row] as number) - (pixels[k - row] as number)) / 2
        sums[0] += (dx * dx) / 3
        sums[1] += (dx * dy) / 3
        sums[2] += (dy * dy) / 3
      }
      for (const [c, plane] of planes.entries()) plane.data[i] = sums[c] as number
    }
  }
  return planes.map((plane) => boxBlur(boxBlur(plane, 2), 1).data)
}

/** Weights of the neighbours of every pixel of the hole, with a sum of 1. */
function weighNeighbours(tensors: Float32Array, inside: Int32Array): Float32Array {
  const weights = new Float32Array(cells * inside.length)
  for (let n = 0; n < inside.length; n++) {
    const at = parts * (inside[n] as number)
    const [xx, xy, yy] = [tensors[at] as number, tensors[at + 1] as number, tensors[at + 2] as number]
    const coherence = Math.hypot(xx - yy, 2 * xy) / (xx + yy + noise)
    const angle = 0.5 * Math.atan2(2 * xy, xx - yy)
    const [across, down] = [Math.cos(angle), Math.sin(angle)]
    const own = weights.subarray(cells * n, cells * (n + 1))
    let total = 0
    for (let k = 0; k < cells; k++) {
      const u = (k % side) - near
      const v = ((k / side) | 0) - near
      if (u === 0 && v === 0) continue
      const off = coherence * (u * across + v * down)
      own[k] = Math.exp((-strictness * off * off) / (2 * near)) / (u * u + v * v)
      total += own[k] as number
    }
    for (let k = 0; k < cells; k++) own[k] = (own[k] as number) / total
  }
  return weights
}
