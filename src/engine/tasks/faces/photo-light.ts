import type { MeshPoints } from '#engine/host.ts'
import type { Direction } from '#engine/image/light-probe.ts'
import { clamp } from '#engine/image/numbers.ts'
import type { Picture } from '#engine/image/picture.ts'
import { lumaAt } from '#engine/image/tones.ts'
import { meshNormals } from './mesh-geometry.ts'
import { outlines } from './regions.ts'

/** Points of eyes, brows and lips, whose own colour differs from the skin's. */
const features: ReadonlySet<number> = new Set(
  (['leftEye', 'rightEye', 'leftBrow', 'rightBrow', 'mouth'] as const).flatMap((name) => [...outlines[name]]),
)
const rounds = 4
const dark = 10
const largest = 0.6

/**
 * Direction of a photograph's light from the brightness of the face against its normals: the
 * logarithm of the brightness changes by this much for each step of the normal, at most 0.6. Beards
 * and highlights are outliers of the robust fit.
 */
export function photoLight(picture: Picture, mesh: MeshPoints): Direction {
  const normals = meshNormals(mesh)
  const rows: { n: Direction; value: number }[] = []
  for (const [index, [x, y]] of mesh.entries()) {
    const [column, row] = [Math.round(x), Math.round(y)]
    const normal = normals[index] as Direction
    // Points at the outline may lie on the background.
    if (features.has(index) || normal[2] > -0.35) continue
    if (column < 1 || row < 1 || column >= picture.width - 1 || row >= picture.height - 1) continue
    let sum = 0
    for (let v = -1; v <= 1; v++) {
      for (let u = -1; u <= 1; u++) sum += lumaAt(picture.data, (row + v) * picture.width + column + u)
    }
    rows.push({ n: [normal[0], normal[1], normal[2] + 1], value: Math.log(sum / 9 + dark) })
  }
  if (rows.length < 50) return [0, 0, 0]
  const weights = rows.map(() => 1)
  let fit = [0, 0, 0, 0]
  for (let round = 0; round < rounds; round++) {
    fit = leastSquares(rows, weights)
    const rests = rows.map(({ n, value }) => Math.abs(value - at(fit, n)))
    const middle = Math.max(0.02, rests.toSorted((a, b) => a - b)[rests.length >> 1] as number)
    for (const [i, rest] of rests.entries()) weights[i] = 1 / (1 + (rest / (2 * middle)) ** 2)
  }
  return [1, 2, 3].map((k) => clamp(fit[k] as number, -largest, largest)) as unknown as Direction
}

const at = (fit: readonly number[], n: Direction) =>
  (fit[0] as number) + (fit[1] as number) * n[0] + (fit[2] as number) * n[1] + (fit[3] as number) * n[2]

/** Weighted fit of a constant and a slope, with a small ridge for poses that leave it open. */
function leastSquares(rows: readonly { n: Direction; value: number }[], weights: readonly number[]): number[] {
  const matrix = Array.from({ length: 4 }, () => new Array<number>(5).fill(0))
  for (const [i, { n, value }] of rows.entries()) {
    const terms = [1, ...n, value]
    for (let a = 0; a < 4; a++) {
      for (let b = 0; b < 5; b++) {
        const line = matrix[a] as number[]
        line[b] = (line[b] as number) + (weights[i] as number) * (terms[a] as number) * (terms[b] as number)
      }
    }
  }
  for (let k = 1; k < 4; k++) (matrix[k] as number[])[k] = ((matrix[k] as number[])[k] as number) + 0.004 * rows.length
  for (let k = 0; k < 4; k++) {
    const pivot = matrix[k] as number[]
    for (let a = 0; a < 4; a++) {
      if (a === k) continue
      const line = matrix[a] as number[]
      const factor = (line[k] as number) / (pivot[k] as number)
      for (let b = k; b < 5; b++) line[b] = (line[b] as number) - factor * (pivot[b] as number)
    }
  }
  return matrix.map((line, k) => (line[4] as number) / (line[k] as number))
}
