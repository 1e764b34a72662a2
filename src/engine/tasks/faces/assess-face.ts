import type { Face, MeshPoints } from '#engine/host.ts'
import { type Point, similarityTo, transform } from '#engine/image/geometry.ts'
import type { Direction } from '#engine/image/light-probe.ts'
import { clamp, quantile } from '#engine/image/numbers.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { resampleForModel } from '#engine/image/resample-similarity.ts'
import { lumaAt, lumaOf } from '#engine/image/tones.ts'
import { type Lab, labOf } from '#engine/tasks/colorize/lab.ts'
import { headFrame } from './head.ts'
import { meshNormals, moveMesh } from './mesh-geometry.ts'
import { facialFeatures, meshArea, outlines, pointOf } from './regions.ts'

/** Brightness is from 0 to 255, gamma-encoded. */
export interface FaceQuality {
  /** Median brightness of the skin. */
  brightness: number
  /** Share of the skin that is overexposed, 0 to 1. */
  burnt: number
  /** Ratio of linear light of the brighter to the darker half of the face; 1 if even. */
  sideLight: number
  /** Share of the skin in cast shadows, 0 to 1: less than half of the median linear light. */
  shadow: number
  /** 95th percentile of the features' gradient by their contrast; about 0.2 if sharp. */
  sharpness: number
  /**
   * Contrast of the strongest line on the nose bridge by the eyes'; above about 0.3 with glasses.
   */
  bridge: number
  /** Mean saturation of the skin, 0 to 255; near 0 in grey pictures. */
  colour: number
}

/** Size of the upright view, distance from eyes to chin, and position of the eyes, in pixels. */
const viewSize = { width: 250, height: 285 }
const eyesToChin = 130
const eyesAt = { x: viewSize.width / 2, y: 125 }

/** Measures an upright view of fixed size: independent of the face's size unless it is smaller. */
export function assessFace(picture: Picture, points: MeshPoints): FaceQuality {
  const { face, luma, toView, view } = uprightView(picture, points)
  const mesh = moveMesh(points, view)
  const parts = meshArea(viewSize, mesh, ...facialFeatures)
  const centre = toView(headFrame(points).centre).x
  return {
    ...lightOf(face, luma, meshArea(viewSize, mesh, 'face'), parts, centre),
    sharpness: sharpnessOf(luma, parts),
    bridge: bridgeOf(luma, points, toView),
  }
}

export function bridgeContrast(picture: Picture, points: MeshPoints): number {
  const { luma, toView } = uprightView(picture, points)
  return bridgeOf(luma, points, toView)
}

function uprightView(picture: Picture, points: MeshPoints) {
  const head = headFrame(points)
  const view = similarityTo(head.eyes, eyesAt, -head.roll, eyesToChin / head.eyesToChin)
  const face = resampleForModel(picture, view, viewSize.width, viewSize.height)
  return { face, luma: lumaOf(face), view, toView: (point: Point) => transform(view, point) }
}

const linear = (value: number): number => (value / 255) ** 2.2

function lightOf(face: Picture, luma: Plane, skin: Plane, features: Plane, centre: number) {
  const levels = new Float32Array(luma.data.length)
  let count = 0
  const halves = [0, 0]
  const counts = [0, 0]
  let burnt = 0
  let colour = 0
  for (let i = 0; i < luma.data.length; i++) {
    if (skin.data[i] === 0 || features.data[i] === 1) continue
    const level = luma.data[i] as number
    levels[count++] = level
    if (level > 248) burnt++
    const half = (i % luma.width) + 0.5 < centre ? 0 : 1
    halves[half] = (halves[half] as number) + linear(level)
    counts[half] = (counts[half] as number) + 1
    const red = face.data[4 * i] as number
    const green = face.data[4 * i + 1] as number
    const blue = face.data[4 * i + 2] as number
    colour += Math.max(red, green, blue) - Math.min(red, green, blue)
  }
  const sorted = levels.subarray(0, count).sort()
  const brightness = sorted[count >> 1] ?? 0
  const all = Math.max(1, count)
  const usual = linear(brightness)
  const means = halves.map((sum, half) => sum / Math.max(1, counts[half] as number) + 0.004)
  return {
    brightness,
    burnt: burnt / all,
    sideLight: Math.max(...means) / Math.min(...means),
    shadow: sorted.findLastIndex((level) => linear(level) < 0.45 * usual) / all + 1 / all,
    colour: colour / all,
  }
}

function sharpnessOf(luma: Plane, features: Plane): number {
  const changes = changesIn(luma, features)
  const found = luma.data.filter((_, i) => isInside(i, luma) && features.data[i] === 1)
  if (found.length === 0) return 0
  return quantile(changes, 0.95) / Math.max(12, quantile(found, 0.95) - quantile(found, 0.05))
}

const isInside = (i: number, { width, height }: Plane): boolean => {
  const [x, y] = [i % width, Math.floor(i / width)]
  return x > 0 && y > 0 && x < width - 1 && y < height - 1
}

/** Brightness gradients in the area. */
function changesIn({ width, height, data }: Plane, area: Plane): Float32Array {
  const changes = new Float32Array(data.length)
  let count = 0
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      if (area.data[i] === 0) continue
      const across = (data[i + 1] as number) - (data[i - 1] as number)
      const down = (data[i + width] as number) - (data[i - width] as number)
      changes[count++] = Math.sqrt(across * across + down * down) / 2
    }
  }
  return changes.subarray(0, count)
}

/** Bare skin between the eyes has no edges. */
function bridgeOf(luma: Plane, points: MeshPoints, toView: (point: Point) => Point): number {
  const [inner, other] = [toView(pointOf(points, 133)), toView(pointOf(points, 362))]
  const apart = other.x - inner.x
  const middle = (inner.x + other.x) / 2
  const [from, to] = [Math.round(middle - 0.17 * apart), Math.round(middle + 0.17 * apart)]
  const eye = toView(pointOf(points, 168)).y
  const [top, bottom] = [Math.round(eye - 0.2 * apart), Math.round(eye + 0.75 * apart)]
  let strongest = 0
  for (let y = Math.max(2, top); y < Math.min(luma.height - 2, bottom); y++) {
    let change = 0
    for (let x = from; x <= to; x++) {
      change += (luma.data[(y + 2) * luma.width + x] as number) - (luma.data[(y - 2) * luma.width + x] as number)
    }
    strongest = Math.max(strongest, Math.abs(change) / (to - from + 1))
  }
  const around: number[] = []
  for (const index of [159, 145, 386, 374, 133, 362, 33, 263]) {
    const { x, y } = toView(pointOf(points, index))
    around.push(luma.data[Math.round(y) * luma.width + Math.round(x)] ?? 0)
  }
  const skin = luma.data[Math.round(eye) * luma.width + Math.round(middle)] ?? 0
  return strongest / Math.max(30, skin - Math.min(...around))
}

/**
 * Teeth in CIELAB: less red than the lips' median and hardly darker, unlike a gap; in this share of
 * the mouth's width, without the dark corners.
 */
const teeth = { lessRed: 10, darker: 10, middle: 0.7 } as const

/** Mean height of visible teeth by the mouth's width: 0 behind closed lips and in grey pictures. */
export function teethHeight(picture: Picture, points: MeshPoints): number {
  const { face, view } = uprightView(picture, points)
  const mesh = moveMesh(points, view)
  const [mouth, lips] = [meshArea(viewSize, mesh, 'mouth'), meshArea(viewSize, mesh, 'lips')]
  const [left, right] = [pointOf(mesh, 78), pointOf(mesh, 308)]
  const [middle, width] = [(left.x + right.x) / 2, right.x - left.x]
  const [around, between]: [Lab[], Lab[]] = [[], []]
  for (let i = 0; i < lips.data.length; i++) {
    if (Math.abs((i % viewSize.width) - middle) > (teeth.middle / 2) * width) continue
    const part = mouth.data[i] === 1 ? between : lips.data[i] === 1 ? around : undefined
    part?.push(labOf(face.data[4 * i] as number, face.data[4 * i + 1] as number, face.data[4 * i + 2] as number))
  }
  if (around.length === 0) return 0
  const medianOf = (channel: 0 | 1) =>
    quantile(
      Float32Array.from(around, (lab) => lab[channel]),
      0.5,
    )
  const [lightness, redness] = [medianOf(0), medianOf(1)]
  const seen = between.filter(([l, a]) => a < redness - teeth.lessRed && l > lightness - teeth.darker)
  return seen.length / (teeth.middle * width ** 2)
}

const limits = { sharp: 0.093, burnt: 0.2, dark: 50, sideLight: 2, bridge: 0.2 }

type FaceWarning = 'blurred' | 'overexposed' | 'too_dark' | 'uneven_light' | 'glasses'

export function faceWarnings(picture: Picture, { points }: Face): FaceWarning[] {
  return qualityWarnings(assessFace(picture, points))
}

export function qualityWarnings({ sharpness, burnt, brightness, sideLight, bridge }: FaceQuality): FaceWarning[] {
  return [
    ...(sharpness < limits.sharp ? (['blurred'] as const) : []),
    ...(burnt > limits.burnt ? (['overexposed'] as const) : []),
    ...(brightness < limits.dark ? (['too_dark'] as const) : []),
    ...(sideLight > limits.sideLight ? (['uneven_light'] as const) : []),
    ...(bridge > limits.bridge ? (['glasses'] as const) : []),
  ]
}

/** Points of eyes, brows and lips, whose own colour differs from the skin's. */
const ownColours: ReadonlySet<number> = new Set(
  (['leftEye', 'rightEye', 'leftBrow', 'rightBrow', 'mouth'] as const).flatMap((name) => [...outlines[name]]),
)
const fitRounds = 4
const darkOffset = 10
const maxSlope = 0.6

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
    if (ownColours.has(index) || normal[2] > -0.35) continue
    if (column < 1 || row < 1 || column >= picture.width - 1 || row >= picture.height - 1) continue
    let sum = 0
    for (let v = -1; v <= 1; v++) {
      for (let u = -1; u <= 1; u++) sum += lumaAt(picture.data, (row + v) * picture.width + column + u)
    }
    rows.push({ n: [normal[0], normal[1], normal[2] + 1], value: Math.log(sum / 9 + darkOffset) })
  }
  if (rows.length < 50) return [0, 0, 0]
  const weights = rows.map(() => 1)
  let fit = [0, 0, 0, 0]
  for (let round = 0; round < fitRounds; round++) {
    fit = leastSquares(rows, weights)
    const rests = rows.map(({ n, value }) => Math.abs(value - at(fit, n)))
    const middle = Math.max(0.02, rests.toSorted((a, b) => a - b)[rests.length >> 1] as number)
    for (const [i, rest] of rests.entries()) weights[i] = 1 / (1 + (rest / (2 * middle)) ** 2)
  }
  return [1, 2, 3].map((k) => clamp(fit[k] as number, -maxSlope, maxSlope)) as unknown as Direction
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
