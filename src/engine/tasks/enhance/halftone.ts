import { quantile } from '#engine/image/numbers.ts'
import type { Plane } from '#engine/image/picture.ts'
import { feather } from '#engine/image/plane.ts'

const tilesAcross = 4
const tileSide = 64
/**
 * Distances in pixels between dots: finer dots are hardly visible; coarser ones are texture, and
 * blurring them would need a larger `partMargin`.
 */
const distances = { least: 2.4, most: 8.5 }
/**
 * Minimum power of dots relative to other frequencies of the same radius, in half of the tiles. 196
 * photographs reached at most 9; all but three of 72 simulated prints exceeded the limit.
 */
const minRatio = 20

/** Dot distance of a print in pixels, from the peak of its power spectrum; 0 if not printed. */
export function halftoneDotDistance(luma: Plane): number {
  const across = Math.floor((luma.width - tileSide) / (tilesAcross - 1))
  const down = Math.floor((luma.height - tileSide) / (tilesAcross - 1))
  if (across < 1 || down < 1) return 0
  const spectra = Array.from({ length: tilesAcross * tilesAcross }, (_, k) =>
    powerSpectrum(luma, (k % tilesAcross) * across, Math.floor(k / tilesAcross) * down),
  )
  const power = Float32Array.from({ length: (tileSide * tileSide) / 2 }, (_, i) =>
    median(spectra.map((it) => it[i] as number)),
  )
  const rings = Map.groupBy(power.keys(), radiusOf)
  const usual = new Map([...rings].map(([radius, ring]) => [radius, median(ring.map((i) => power[i] as number))]))
  let best = { radius: 0, ratio: minRatio }
  for (const [i, value] of power.entries()) {
    const [down, across] = frequencyOf(i)
    const radius = radiusOf(i)
    // Lines and JPEG blocks have their frequencies on the axes; dots have them in two diagonal
    // directions.
    if (down < 2 || Math.abs(across) < 2 || radius < tileSide / distances.most || radius > tileSide / distances.least)
      continue
    const other =
      across > 0 ? power[across * tileSide + ((tileSide - down) % tileSide)] : power[-across * tileSide + down]
    const ratio = Math.min(value, other as number) / (usual.get(radius) as number)
    if (ratio > best.ratio) best = { radius, ratio }
  }
  return best.radius > 0 ? tileSide / best.radius : 0
}

/** Cycles per tile, down and across, of a spectrum index. */
const frequencyOf = (i: number): [number, number] => [
  Math.floor(i / tileSide),
  ((i + tileSide / 2) % tileSide) - tileSide / 2,
]
const radiusOf = (i: number) => Math.round(Math.hypot(...frequencyOf(i)))
const median = (values: number[]) => quantile(Float32Array.from(values), 0.5)

const cosines = Float32Array.from({ length: tileSide }, (_, i) => Math.cos((2 * Math.PI * i) / tileSide))
const sine = (i: number) => cosines[(i + 3 * (tileSide / 4)) % tileSide] as number
/** Hann window, so that the tile's border adds no frequencies. */
const hann = cosines.map((value) => (1 - value) / 2)

/** Half of the rows of squared Fourier coefficients; the others are symmetric. */
function powerSpectrum({ width, data }: Plane, left: number, top: number): Float32Array {
  const [real, imaginary] = [new Float32Array(tileSide * tileSide), new Float32Array(tileSide * tileSide)]
  for (let y = 0; y < tileSide; y++) {
    const line = hann.map((share, x) => share * (hann[y] as number) * (data[(top + y) * width + left + x] as number))
    for (let k = 0; k < tileSide; k++) {
      const [a, b] = coefficient(k, (x) => line[x] as number)
      real[k * tileSide + y] = a
      imaginary[k * tileSide + y] = b
    }
  }
  return Float32Array.from({ length: (tileSide * tileSide) / 2 }, (_, i) => {
    const [row, start] = [Math.floor(i / tileSide), tileSide * (i % tileSide)]
    const [a, b] = coefficient(row, (y) => real[start + y] as number)
    const [c, d] = coefficient(row, (y) => imaginary[start + y] as number)
    return (a - d) ** 2 + (b + c) ** 2
  })
}

function coefficient(k: number, value: (at: number) => number): [number, number] {
  let [real, imaginary] = [0, 0]
  for (let at = 0, turn = 0; at < tileSide; at++, turn = (turn + k) % tileSide) {
    real += value(at) * (cosines[turn] as number)
    imaginary -= value(at) * sine(turn)
  }
  return [real, imaginary]
}

/** Standard deviation of the blur that removes dots, as a share of their distance. */
const blur = 0.56

/** Blurs away print dots `distance` pixels apart. */
export function blurHalftoneDots(plane: Plane, distance: number): Plane {
  const variance = (blur * distance) ** 2
  const radius = Math.max(1, Math.floor(Math.sqrt(variance / 3)))
  return feather(plane, radius, Math.round((3 * variance) / (radius * (radius + 1))))
}
