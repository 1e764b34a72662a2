const dimensions = 3
const rounds = 6

/** K-means (Lloyd 1982) over colours of three values each; `owner` has each colour's cluster. */
export function clusterColours(points: Float32Array, clusters: number): { mean: Float32Array; owner: Int32Array } {
  const mean = spreadSeeds(points, clusters)
  const owner = new Int32Array(points.length / dimensions)
  const sums = new Float64Array(clusters * dimensions)
  const sizes = new Float64Array(clusters)
  for (let round = 0; round < rounds; round++) {
    assign(points, mean, owner, sums, sizes)
    for (let k = 0; k < mean.length; k++) {
      const size = sizes[Math.floor(k / dimensions)] as number
      if (size > 0) mean[k] = (sums[k] as number) / size
    }
  }
  return { mean, owner }
}

/** Farthest-point seeds (Gonzalez 1985). */
function spreadSeeds(points: Float32Array, clusters: number): Float32Array {
  const count = points.length / dimensions
  const mean = new Float32Array(clusters * dimensions)
  const distance = new Float32Array(count).fill(1e9)
  let chosen = Math.floor(count / 2)
  for (let c = 0; c < clusters; c++) {
    mean.set(points.subarray(chosen * dimensions, (chosen + 1) * dimensions), c * dimensions)
    let far = -1
    for (let s = 0; s < count; s++) {
      const away = Math.min(distance[s] as number, squared(points, s * dimensions, mean, c * dimensions))
      distance[s] = away
      if (away > far) {
        far = away
        chosen = s
      }
    }
  }
  return mean
}

function assign(
  points: Float32Array,
  mean: Float32Array,
  owner: Int32Array,
  sums: Float64Array,
  sizes: Float64Array,
): void {
  sums.fill(0)
  sizes.fill(0)
  for (let s = 0, at = 0; s < owner.length; s++, at += dimensions) {
    let own = 0
    let least = Infinity
    for (let c = 0, j = 0; j < mean.length; c++, j += dimensions) {
      const away = squared(points, at, mean, j)
      if (away < least) {
        least = away
        own = c
      }
    }
    owner[s] = own
    sizes[own] = (sizes[own] as number) + 1
    for (let d = 0; d < dimensions; d++) {
      sums[own * dimensions + d] = (sums[own * dimensions + d] as number) + (points[at + d] as number)
    }
  }
}

function squared(a: Float32Array, i: number, b: Float32Array, j: number): number {
  const d0 = (a[i] as number) - (b[j] as number)
  const d1 = (a[i + 1] as number) - (b[j + 1] as number)
  const d2 = (a[i + 2] as number) - (b[j + 2] as number)
  return d0 * d0 + d1 * d1 + d2 * d2
}
