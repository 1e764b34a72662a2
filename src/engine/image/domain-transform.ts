import type { Plane } from './picture.ts'

/**
 * Recursive filter of the domain transform (Gastal & Oliveira 2011), in place, planes of one size.
 * `sigmaSpace` is in pixels, `sigmaRange` in the guides' units (0 to 1); smaller keeps weaker
 * edges.
 */
export function smoothKeepingEdges(
  channels: readonly Plane[],
  guides: readonly Plane[],
  { sigmaSpace, sigmaRange, rounds = 3 }: { sigmaSpace: number; sigmaRange: number; rounds?: number },
): void {
  const [first] = guides
  if (!first) return
  const { width, height } = first
  // The first round is the widest; each further round halves sigma, which squares the weights.
  const sigma = (sigmaSpace * Math.sqrt(3) * 2 ** (rounds - 1)) / Math.sqrt(4 ** rounds - 1)
  const { across, down } = neighbourWeights(guides, sigmaSpace / sigmaRange, sigma)
  for (let round = 0; round < rounds; round++) {
    for (const { data } of channels) {
      sweepRows(data, across, width, height)
      sweepColumns(data, down, width, height)
    }
    if (round === rounds - 1) break
    square(across)
    square(down)
  }
}

const tableSteps = 8192
const maxExponent = 12

function neighbourWeights(guides: readonly Plane[], ratio: number, sigma: number) {
  const { width, height } = guides[0] as Plane
  const across = new Float32Array(width * height)
  const down = new Float32Array(width * height)
  for (const { data } of guides) {
    for (let i = 1; i < across.length; i++) {
      const own = data[i] as number
      across[i] = (across[i] as number) + Math.abs(own - (data[i - 1] as number))
      if (i >= width) down[i] = (down[i] as number) + Math.abs(own - (data[i - width] as number))
    }
  }
  const decay = Math.SQRT2 / sigma
  // Millions of exponentials are needed.
  const table = new Float32Array(tableSteps + 1)
  for (let k = 0; k < tableSteps; k++) table[k] = Math.exp(-decay - (maxExponent * k) / tableSteps)
  const scale = (decay * ratio * tableSteps) / maxExponent
  for (const sums of [across, down]) {
    for (let i = 0; i < sums.length; i++) {
      sums[i] = table[Math.min(tableSteps, scale * (sums[i] as number) + 0.5) | 0] as number
    }
  }
  return { across, down }
}

function square(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    values[i] = value * value
  }
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
