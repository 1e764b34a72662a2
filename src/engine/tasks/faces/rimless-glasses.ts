import type { MeshPoints } from '#engine/host.ts'
import { type Point, similarityTo } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { resampleForModel } from '#engine/image/resample-similarity.ts'
import { lumaOf } from '#engine/image/tones.ts'
import { faceAxes, moveMesh } from './mesh-geometry.ts'
import { meanPoint, pointOf } from './regions.ts'
import { toneOffset } from './tones.ts'

/** Upright view in pixels: the middle of the eyes, and their distance. */
const view = { width: 260, height: 170, middle: { x: 130, y: 70 }, apart: 90 } as const

/** Widths of lines in pixels: half the distance to the skin beside, for straight lines and rims. */
const straight = [3, 4] as const
const round = [3, 4.5] as const
/** Limits of a line's logarithmic contrast, so that a long faint line counts most. */
const contrastLimits = { least: -0.05, most: 0.12 } as const
/** Costs of a step aside. */
const stepCost = { straight: 0.01, round: 0.012 } as const

/** Rows of the bridge, and of the arms beside the eyes; in pixels of the view. */
const bridgeArea = { left: 118, right: 142, top: 52, bottom: 94 } as const
const armRows = { top: 48, bottom: 84 } as const
/** Distances of an arm from the outer corner of the eye and from the face's outline. */
const armEnds = { eye: 8, outline: 4, least: 6 } as const
/** Radii around a point below the eye; angles in degrees, in steps of 3. */
const lensArea = { below: 5, from: 20, to: 46, aspect: 0.8, step: 3 } as const
const wholeLens = [-10, 190] as const
const lowerLens = [40, 140] as const

/** Contrast along the best path: of bridge, arm, both lenses, and their lower halves. */
type Evidence = readonly [bridge: number, arm: number, lenses: number, lower: number]

/**
 * Logistic regression on 112 drawn rimless glasses and 224 bare faces, some shiny or with stubble,
 * of 25 people. `dark` and `bright` are weights for lines darker and brighter than skin.
 */
const weights = {
  dark: [37.2, 16.6, 13.5, 44.5],
  bright: [32.8, 16.1, 7.6, 1.8],
  bias: -8,
} as const

/**
 * True if a face probably wears glasses without rims. They show as thin lines: a bridge, arms, and
 * the edges of the lenses, each found as the path of most contrast (dynamic programming). The
 * picture may be a face alone, from about 90 pixels wide.
 */
export function wearsRimlessGlasses(picture: Picture, mesh: MeshPoints): boolean {
  const { dark, bright } = evidenceOf(picture, mesh)
  const sum = (values: Evidence, by: readonly number[]) =>
    values.reduce((all, value, i) => all + value * (by[i] as number), 0)
  return weights.bias + sum(dark, weights.dark) + sum(bright, weights.bright) > 0
}

function evidenceOf(picture: Picture, mesh: MeshPoints): Record<'dark' | 'bright', Evidence> {
  const [left, right] = [
    [33, 133],
    [263, 362],
  ].map((corners) => meanPoint(corners.map((index) => pointOf(mesh, index)))) as [Point, Point]
  const roll = Math.atan2(right.y - left.y, right.x - left.x)
  const scale = view.apart / (Math.hypot(right.x - left.x, right.y - left.y) || 1)
  const upright = similarityTo(meanPoint([left, right]), view.middle, -roll, scale)
  const seen = lumaOf(resampleForModel(picture, upright, view.width, view.height))
  const light = { ...seen, data: seen.data.map((value) => Math.log(value + toneOffset)) }
  const points = moveMesh(mesh, upright)
  const level = blurRows(light)
  const arms = [
    { left: pointOf(points, 127).x + armEnds.outline, right: pointOf(points, 33).x - armEnds.eye },
    { left: pointOf(points, 263).x + armEnds.eye, right: pointOf(points, 356).x - armEnds.outline },
  ]
  const lines = (sign: 1 | -1): Evidence => {
    const straightLine = (area: { left: number; right: number; top: number; bottom: number }) => {
      const [from, to] = [Math.max(4, Math.round(area.left)), Math.min(view.width - 5, Math.round(area.right))]
      if (to - from < armEnds.least) return contrastLimits.least
      const valueAt = (k: number, s: number) =>
        Math.max(...straight.map((half) => ridge(level, { x: from + k, y: area.top + s }, { x: 0, y: 1 }, half, sign)))
      return bestPath({ length: to - from + 1, across: area.bottom - area.top + 1 }, valueAt, stepCost.straight).mean
    }
    const rim = (side: 1 | -1, [start, end]: readonly [number, number]) => {
      const centre = { x: view.middle.x + (side * view.apart) / 2, y: view.middle.y + lensArea.below }
      const { from, to, aspect, step } = lensArea
      const valueAt = (k: number, s: number) => {
        const angle = ((start + step * k) * Math.PI) / 180
        const [x, y] = [side * Math.cos(angle), aspect * Math.sin(angle)]
        const at = { x: centre.x + (from + s) * x, y: centre.y + (from + s) * y }
        const length = Math.hypot(x, y)
        return Math.max(...round.map((half) => ridge(light, at, { x: x / length, y: y / length }, half, sign)))
      }
      return bestPath({ length: Math.round((end - start) / step), across: to - from + 1 }, valueAt, stepCost.round).mean
    }
    return [
      straightLine(bridgeArea),
      Math.max(...arms.map((ends) => straightLine({ ...ends, ...armRows }))),
      rim(-1, wholeLens) + rim(1, wholeLens),
      Math.min(rim(-1, lowerLens), rim(1, lowerLens)),
    ]
  }
  return { dark: lines(1), bright: lines(-1) }
}

function blurRows({ width, height, data }: Plane): Plane {
  const out = data.slice()
  for (let i = 1; i < out.length - 1; i++) {
    out[i] = ((data[i - 1] as number) + 2 * (data[i] as number) + (data[i + 1] as number)) / 4
  }
  return { width, height, data: out }
}

/** Contrast of a line with both of its sides, limited; positive for dark lines if `sign` is 1. */
function ridge(light: Plane, { x, y }: Point, across: Point, half: number, sign: 1 | -1): number {
  const at = (reach: number) => sign * valueAt(light, x + reach * across.x, y + reach * across.y)
  const contrast = Math.min(at(-half), at(half)) - at(0)
  return Number.isNaN(contrast) ? 0 : Math.min(contrastLimits.most, Math.max(contrastLimits.least, contrast))
}

/** Bilinear; not a number outside. */
function valueAt({ width, height, data }: Plane, x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)]
  if (column < 0 || row < 0 || column >= width - 1 || row >= height - 1) return Number.NaN
  const [right, low, i] = [x - column, y - row, row * width + column]
  const above = (data[i] as number) * (1 - right) + (data[i + 1] as number) * right
  const below = (data[i + width] as number) * (1 - right) + (data[i + width + 1] as number) * right
  return above * (1 - low) + below * low
}

/** The path of the largest mean value, which moves aside by at most 1 a step. */
function bestPath(
  { length, across }: { length: number; across: number },
  valueAt: (k: number, s: number) => number,
  cost: number,
): { mean: number; path: number[]; values: number[] } {
  const values = Array.from({ length }, (_, k) => Float32Array.from({ length: across }, (_, s) => valueAt(k, s)))
  const steps: Int8Array[] = []
  let sums = values[0] as Float32Array
  for (const own of values.slice(1)) {
    const before = sums
    const step = new Int8Array(across)
    sums = own.map((value, s) => {
      const [left, right] = [before[s - 1] ?? -Infinity, before[s + 1] ?? -Infinity]
      const aside = Math.max(left, right) - cost
      if (aside > (before[s] as number)) step[s] = left >= right ? -1 : 1
      return Math.max(before[s] as number, aside) + value
    })
    steps.push(step)
  }
  const most = Math.max(...sums)
  const path = [sums.indexOf(most)]
  for (const step of steps.reverse()) path.unshift((path[0] as number) + (step[path[0] as number] as number))
  return { mean: most / length, path, values: path.map((s, k) => values[k]?.[s] as number) }
}

/** Reach of arms beyond the face's outline, and their rows around the eyes, in face widths. */
const armArea = { beyond: 0.25, above: 0.17, below: 0.1 } as const
/** Least mean contrast of an arm before the outline, and of each of its parts. */
const armContrast = { whole: 0.035, part: 0.015 } as const
/** Pixels: parts over which the contrast is averaged, and half the width of an arm. */
const armPart = 4
const armHalf = 2

/** Mask of the arms of glasses without rims, from the eyes to beyond the face. */
export function rimlessArms(picture: Picture, mesh: MeshPoints): Plane {
  const { width, height } = picture
  const arms = createPlane(width, height)
  const { unit, middle, across, down } = faceAxes(mesh)
  const light = lumaOf(picture)
  light.data = light.data.map((value) => Math.log(value + toneOffset))
  for (const [side, corner, outline] of [
    [-1, 33, 127],
    [1, 263, 356],
  ] as const) {
    const away = (index: number) => {
      const { x, y } = pointOf(mesh, index)
      return side * ((x - middle.x) * across.x + (y - middle.y) * across.y)
    }
    const from = away(corner) + 0.04 * unit
    const top = -armArea.above * unit
    const at = (k: number, s: number): Point => ({
      x: middle.x + side * (from + k) * across.x + (top + s) * down.x,
      y: middle.y + side * (from + k) * across.y + (top + s) * down.y,
    })
    const length = Math.round(away(outline) + armArea.beyond * unit - from)
    const inside = Math.max(1, Math.round(away(outline) - from))
    const rows = Math.round((armArea.above + armArea.below) * unit)
    for (const sign of [1, -1] as const) {
      const contrastAt = (k: number, s: number) =>
        Math.max(...straight.map((half) => ridge(light, at(k, s), down, half, sign)))
      const { path, values } = bestPath({ length, across: rows }, contrastAt, stepCost.straight)
      const mean = (start: number, end: number) => {
        const some = values.slice(Math.max(0, start), end)
        return some.reduce((sum, value) => sum + value, 0) / some.length
      }
      if (mean(0, inside) < armContrast.whole) continue
      const gap = values.findIndex((_, k) => k > inside && mean(k - armPart, k + armPart) < armContrast.part)
      for (const [k, s] of path.slice(0, gap < 0 ? length : gap).entries()) {
        for (let aside = -armHalf; aside <= armHalf; aside++) {
          const { x, y } = at(k, s + aside)
          const [column, row] = [Math.floor(x), Math.floor(y)]
          if (column >= 0 && row >= 0 && column < width && row < height) arms.data[row * width + column] = 1
        }
      }
    }
  }
  return arms
}
