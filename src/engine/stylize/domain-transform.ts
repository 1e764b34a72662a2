import type { Plane } from '../picture.ts'

/**
 * Edge-preserving smoothing: the recursive filter of the domain transform (Gastal & Oliveira 2011). Every channel is smoothed where the
 * guides are even and kept apart where any of them changes. `sigmaSpace` is in pixels, `sigmaRange` in the guides' units (0 to 1): the
 * smaller, the weaker the edges that are kept. The planes are changed in place; all have one size.
 */
export function smoothKeepingEdges(
  channels: readonly Plane[],
  guides: readonly Plane[],
  { sigmaSpace, sigmaRange, rounds = 3 }: { sigmaSpace: number; sigmaRange: number; rounds?: number },
): void {
  const [first] = guides
  if (!first) return
  const { width, height } = first
  // The first round is the widest; each further one halves sigma, which squares the weights.
  const sigma = (sigmaSpace * Math.sqrt(3) * 2 ** (rounds - 1)) / Math.sqrt(4 ** rounds - 1)
  const across = weightsOf(guides, 1, sigmaSpace / sigmaRange, sigma)
  const down = weightsOf(guides, width, sigmaSpace / sigmaRange, sigma)
  for (let round = 0; round < rounds; round++) {
    for (const { data } of channels) {
      sweepRows(data, across, width, height)
      sweepColumns(data, down, width, height)
    }
    if (round === rounds - 1) break
    for (let i = 0; i < across.length; i++) {
      across[i] = (across[i] as number) ** 2
      down[i] = (down[i] as number) ** 2
    }
  }
}

/** How much of the pixel `step` before it each one takes over: the nearer both are in the transformed domain, the more. */
function weightsOf(guides: readonly Plane[], step: number, ratio: number, sigma: number): Float32Array {
  const { width, height } = guides[0] as Plane
  const out = new Float32Array(width * height).fill(1)
  for (const { data } of guides) {
    for (let i = step; i < out.length; i++) {
      out[i] = (out[i] as number) + ratio * Math.abs((data[i] as number) - (data[i - step] as number))
    }
  }
  const decay = -Math.SQRT2 / sigma
  for (let i = 0; i < out.length; i++) out[i] = Math.exp(decay * (out[i] as number))
  return out
}

function sweepRows(data: Float32Array, weights: Float32Array, width: number, height: number): void {
  for (let y = 0; y < height; y++) {
    const start = y * width
    const end = start + width
    let last = data[start] as number
    for (let i = start + 1; i < end; i++) {
      const own = data[i] as number
      last = own + (weights[i] as number) * (last - own)
      data[i] = last
    }
    for (let i = end - 2; i >= start; i--) {
      const own = data[i] as number
      last = own + (weights[i + 1] as number) * (last - own)
      data[i] = last
    }
  }
}

function sweepColumns(data: Float32Array, weights: Float32Array, width: number, height: number): void {
  for (let i = width; i < width * height; i++) {
    const own = data[i] as number
    data[i] = own + (weights[i] as number) * ((data[i - width] as number) - own)
  }
  for (let i = width * (height - 1) - 1; i >= 0; i--) {
    const own = data[i] as number
    data[i] = own + (weights[i + width] as number) * ((data[i + width] as number) - own)
  }
}
