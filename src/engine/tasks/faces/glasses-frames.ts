import type { MeshPoints } from '#engine/host.ts'
import { fillPolygon, type Point } from '#engine/image/geometry.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { type FaceAxes, faceAxes } from './mesh-geometry.ts'
import { meanPoint, outlineOf } from './regions.ts'

/** Directions around a lens, and radial steps from the smallest to the largest radius. */
const directions = 96
const steps = 40
/** Distance of a lens's centre below the eye; all lengths are shares of the face's width. */
const below = 0.045
/** Smallest, largest and usual radius of a rim; `aspect` is the lens's height by width. */
const nearest = 0.085
const farthest = 0.27
const usual = 0.165
const aspect = 0.8
/** Half widths of the rims searched for. */
const halves = [0.018, 0.032, 0.048] as const
/** In standard deviations from skin. */
const maxDistance = 4
/** Costs of a step between directions, and of the squared distance from the usual radius. */
const stepCost = 0.9
const radiusCost = 14
const minContrast = 0.75

/** In pixels; radius and half widths of the rim for every direction. */
interface Lens {
  middle: Point
  radii: Float32Array
  inner: Float32Array
  outer: Float32Array
}

/** Planes of 0 and 1: rims, the area inside their outer edges, and the strip for the bridge. */
export interface GlassesFrames {
  rims: Plane
  inside: Plane
  between: Plane
  /** Contrast of the weaker rim, in deviations of skin; above about 1.2 with most glasses. */
  contrast: number
}

/**
 * Finds rims as the shortest closed path around each eye (dynamic programming on polar
 * coordinates), both together as glasses are symmetric. `distance` is in standard deviations from
 * skin; `shielded` masks the eyes. Undefined where no rim is closed.
 */
export function findGlassesFrames(mesh: MeshPoints, distance: Plane, shielded: Plane): GlassesFrames | undefined {
  const axes = faceAxes(mesh)
  const middles = (['leftEye', 'rightEye'] as const).map((name) => {
    const { x, y } = meanPoint(outlineOf(mesh, name))
    return { x: x + below * axes.unit * axes.down.x, y: y + below * axes.unit * axes.down.y }
  }) as [Point, Point]
  const look = (x: number, y: number) => {
    const [column, row] = [Math.round(x - 0.5), Math.round(y - 0.5)]
    if (column < 0 || row < 0 || column >= distance.width || row >= distance.height) return 0
    const i = row * distance.width + column
    return (shielded.data[i] as number) > 0 ? 0 : Math.min(maxDistance, distance.data[i] as number)
  }
  // The right lens is mirrored, so that both run in the same direction.
  const values = middles.map((middle, side) => toPolar(look, middle, axes, side === 0 ? 1 : -1)) as [Polar, Polar]
  const contrasts = values.map(ridges) as [Float32Array, Float32Array]
  const paths = contrasts.map((own, side) => {
    const other = contrasts[1 - side] as Float32Array
    return closedPath(own.map((value, i) => value + 0.5 * (other[i] as number)))
  }) as [Int32Array, Int32Array]
  const contrast = paths.map((path, side) => {
    let sum = 0
    for (let k = 0; k < directions; k++)
      sum += (contrasts[side] as Float32Array)[k * steps + (path[k] as number)] as number
    return sum / directions
  })
  if (Math.min(...contrast) < minContrast) return undefined
  const rims = createPlane(distance.width, distance.height)
  const inside = createPlane(distance.width, distance.height)
  const between = createPlane(distance.width, distance.height)
  fillPolygon(between, bridgeOf(axes))
  for (const [side, middle] of middles.entries()) {
    const lens = lensOf(values[side] as Polar, paths[side] as Int32Array, middle, axes.unit)
    paint(lens, { rims, inside }, axes, side === 0 ? 1 : -1)
  }
  return { rims, inside, between, contrast: Math.min(...contrast) }
}

/** Half the width of the bridge's strip, and its extent above and below the eyes. */
const strip = { half: 0.075, above: 0.09, below: 0.06 } as const

function bridgeOf({ middle, across, down, unit }: FaceAxes): Point[] {
  const corner = (x: number, y: number) => ({
    x: middle.x + unit * (x * across.x + y * down.x),
    y: middle.y + unit * (x * across.y + y * down.y),
  })
  const { half, above, below: under } = strip
  return [corner(-half, -above), corner(half, -above), corner(half, under), corner(-half, under)]
}

type Polar = Float32Array

const radiusOfStep = (step: number) => nearest + ((farthest - nearest) * step) / (steps - 1)
const stepsOf = (length: number) => (length * (steps - 1)) / (farthest - nearest)

function toPolar(
  look: (x: number, y: number) => number,
  middle: Point,
  { across, down, unit }: FaceAxes,
  mirror: number,
): Polar {
  const out = new Float32Array(directions * steps)
  for (let k = 0; k < directions; k++) {
    const angle = (2 * Math.PI * k) / directions
    const [right, low] = [mirror * Math.cos(angle), aspect * Math.sin(angle)]
    for (let s = 0; s < steps; s++) {
      const length = radiusOfStep(s) * unit
      out[k * steps + s] = look(
        middle.x + length * (right * across.x + low * down.x),
        middle.y + length * (right * across.y + low * down.y),
      )
    }
  }
  return out
}

/** Contrast of each position with those further in and further out. */
function ridges(values: Polar): Polar {
  const out = new Float32Array(values.length)
  for (let k = 0; k < directions; k++) {
    for (let s = 0; s < steps; s++) {
      const own = values[k * steps + s] as number
      let best = 0
      for (const half of halves) {
        const away = Math.round(stepsOf(half))
        const at = (step: number) => values[k * steps + Math.min(steps - 1, Math.max(0, step))] as number
        best = Math.max(best, own - Math.max(at(s - away), at(s + away)))
      }
      out[k * steps + s] = best
    }
  }
  return out
}

function closedPath(contrast: Float32Array): Int32Array {
  let path = openPath(contrast)
  // Two more rounds from the most certain position close the path well enough.
  for (let round = 0; round < 2; round++) path = openPath(contrast, path[directions >> 1])
  return path
}

function openPath(contrast: Float32Array, through?: number): Int32Array {
  const start = directions >> 1
  let sums = new Float32Array(steps).fill(through === undefined ? 0 : -1e6)
  if (through !== undefined) sums[through] = 0
  const from = new Int32Array((directions + 1) * steps)
  for (let n = 1; n <= directions; n++) {
    const k = (start + n) % directions
    const next = new Float32Array(steps)
    for (let s = 0; s < steps; s++) {
      let best = -Infinity
      for (let p = Math.max(0, s - 3); p <= Math.min(steps - 1, s + 3); p++) {
        const sum = (sums[p] as number) - stepCost * Math.abs(p - s) * 0.3
        if (sum <= best) continue
        best = sum
        from[n * steps + s] = p
      }
      const away = radiusOfStep(s) - usual
      next[s] = best + (contrast[k * steps + s] as number) - radiusCost * away * away
    }
    sums = next
  }
  const path = new Int32Array(directions)
  let step = through ?? sums.indexOf(Math.max(...sums))
  for (let n = directions; n >= 1; n--) {
    path[(start + n) % directions] = step
    step = from[n * steps + step] as number
  }
  return path
}

/** A rim ends where its value falls to half, by the median of neighbouring directions. */
function lensOf(values: Polar, path: Int32Array, middle: Point, unit: number): Lens {
  const most = Math.round(stepsOf(0.028))
  const reach = (sign: 1 | -1) => {
    const found = Array.from({ length: directions }, (_, k) => {
      const at = (step: number) => values[k * steps + Math.min(steps - 1, Math.max(0, step))] as number
      const centre = path[k] as number
      let count = 1
      while (count < most && at(centre + sign * count) > 0.5 * at(centre)) count++
      return count
    })
    return Float32Array.from(found, (_, k) => {
      const near = [-3, -2, -1, 0, 1, 2, 3].map((n) => found[(k + n + directions) % directions] as number)
      return ((near.sort((a, b) => a - b)[3] as number) / stepsOf(1)) * unit
    })
  }
  return {
    middle,
    radii: Float32Array.from(path, (step) => radiusOfStep(step) * unit),
    inner: reach(-1),
    outer: reach(1),
  }
}

function paint(
  { middle, radii, inner, outer }: Lens,
  { rims, inside }: Pick<GlassesFrames, 'rims' | 'inside'>,
  { across, down }: FaceAxes,
  mirror: number,
): void {
  for (let y = 0; y < rims.height; y++) {
    for (let x = 0; x < rims.width; x++) {
      const [dx, dy] = [x + 0.5 - middle.x, y + 0.5 - middle.y]
      const right = mirror * (dx * across.x + dy * across.y)
      const low = (dx * down.x + dy * down.y) / aspect
      const turn = ((Math.atan2(low, right) / (2 * Math.PI)) * directions + directions) % directions
      const [k, next] = [Math.floor(turn) % directions, (Math.floor(turn) + 1) % directions]
      const part = turn - Math.floor(turn)
      const at = (all: Float32Array) => (1 - part) * (all[k] as number) + part * (all[next] as number)
      const away = Math.hypot(right, low) - at(radii)
      if (away < at(outer)) inside.data[y * rims.width + x] = 1
      if (away < at(outer) && away > -at(inner)) rims.data[y * rims.width + x] = 1
    }
  }
}
