import type { MeshPoints } from '#engine/host.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { valueAt } from '#engine/image/plane.ts'
import { catmullRom } from '#engine/image/resample.ts'
import faceTriangles from './triangles.json' with { type: 'json' }

/** Source coordinates for every pixel of an area; `covered` is 0 outside all triangles. */
export interface WarpMap extends Size {
  x: Float32Array
  y: Float32Array
  covered: Uint8Array
  /** Pixels of the area for one pixel of the source. */
  stretch: Float32Array
}

/**
 * Maps a width × height area back to the source by affine maps of mesh triangles. Meshes are in
 * pixels, `to` in the area's. Triangles facing away are dropped; nearer ones hide farther ones.
 */
export function warpMap(from: MeshPoints, to: MeshPoints, width: number, height: number): WarpMap {
  const map: WarpMap = {
    width,
    height,
    x: new Float32Array(width * height),
    y: new Float32Array(width * height),
    covered: new Uint8Array(width * height),
    stretch: new Float32Array(width * height),
  }
  for (const start of frontTriangles(to)) fillTriangle(map, from, to, start)
  return map
}

/**
 * Front-facing start indices, farthest first. `triangles.json` has three point indices each of
 * MediaPipe's canonical face model (Apache 2.0), with an open mouth.
 */
function frontTriangles(to: MeshPoints): number[] {
  const seen: { start: number; depth: number; area: number }[] = []
  for (let start = 0; start < faceTriangles.length; start += 3) {
    const [a, b, c] = corners(to, start)
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    seen.push({ start, area, depth: a[2] + b[2] + c[2] })
  }
  // Most triangles face the camera, which gives the mesh's winding.
  const sign = Math.sign(seen.reduce((sum, { area }) => sum + area, 0))
  return seen
    .filter(({ area }) => area * sign > 0)
    .sort((a, b) => b.depth - a.depth)
    .map(({ start }) => start)
}

type Corner = readonly [number, number, number]

function corners(points: MeshPoints, start: number): [Corner, Corner, Corner] {
  const corner = (k: number) => points[faceTriangles[start + k] as number] as Corner
  return [corner(0), corner(1), corner(2)]
}

function fillTriangle(map: WarpMap, from: MeshPoints, to: MeshPoints, start: number): void {
  const [a, b, c] = corners(to, start)
  const [p, q, r] = corners(from, start)
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
  const own = Math.abs((q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]))
  const stretch = Math.abs(area) / Math.max(own, 1e-3)
  const left = Math.max(0, Math.floor(Math.min(a[0], b[0], c[0]) - 0.5))
  const right = Math.min(map.width - 1, Math.ceil(Math.max(a[0], b[0], c[0]) - 0.5))
  const top = Math.max(0, Math.floor(Math.min(a[1], b[1], c[1]) - 0.5))
  const bottom = Math.min(map.height - 1, Math.ceil(Math.max(a[1], b[1], c[1]) - 0.5))
  // Extends beyond the edges, so that no pixel between two triangles stays uncovered.
  const slack = -1e-3
  for (let y = top; y <= bottom; y++) {
    const dy = y + 0.5 - a[1]
    for (let x = left; x <= right; x++) {
      const dx = x + 0.5 - a[0]
      const v = (dx * (c[1] - a[1]) - (c[0] - a[0]) * dy) / area
      const w = ((b[0] - a[0]) * dy - dx * (b[1] - a[1])) / area
      if (v < slack || w < slack || v + w > 1 - slack) continue
      const i = y * map.width + x
      map.x[i] = p[0] + v * (q[0] - p[0]) + w * (r[0] - p[0]) - 0.5
      map.y[i] = p[1] + v * (q[1] - p[1]) + w * (r[1] - p[1]) - 0.5
      map.covered[i] = 1
      map.stretch[i] = stretch
    }
  }
}

/**
 * The source picture warped by the map with cubic convolution (Catmull–Rom, Keys 1981); opaque
 * where covered, else transparent black.
 */
export function warpPicture(source: Picture, map: WarpMap): Picture {
  const data = new Uint8ClampedArray(map.width * map.height * 4)
  const weights = new Float64Array(8)
  for (let i = 0; i < map.covered.length; i++) {
    if (map.covered[i] === 0) continue
    const x = map.x[i] as number
    const y = map.y[i] as number
    const left = Math.floor(x)
    const top = Math.floor(y)
    for (let k = 0; k < 4; k++) {
      weights[k] = catmullRom(x - left + 1 - k)
      weights[4 + k] = catmullRom(y - top + 1 - k)
    }
    let red = 0
    let green = 0
    let blue = 0
    for (let row = 0; row < 4; row++) {
      const line = Math.min(Math.max(top + row - 1, 0), source.height - 1) * source.width
      const down = weights[4 + row] as number
      for (let column = 0; column < 4; column++) {
        const at = 4 * (line + Math.min(Math.max(left + column - 1, 0), source.width - 1))
        const weight = down * (weights[column] as number)
        red += weight * (source.data[at] as number)
        green += weight * (source.data[at + 1] as number)
        blue += weight * (source.data[at + 2] as number)
      }
    }
    data[4 * i] = red
    data[4 * i + 1] = green
    data[4 * i + 2] = blue
    data[4 * i + 3] = 255
  }
  return { width: map.width, height: map.height, data }
}

/** A plane of the source's size warped by the map, bilinear; 0 where nothing is covered. */
export function warpPlane(source: Plane, map: WarpMap): Plane {
  const out = createPlane(map.width, map.height)
  for (let i = 0; i < map.covered.length; i++) {
    if (map.covered[i] === 1) out.data[i] = valueAt(source, map.x[i] as number, map.y[i] as number)
  }
  return out
}

export function medianStretch({ stretch, covered }: WarpMap): number {
  const all = stretch.filter((_, i) => covered[i] === 1).sort()
  return all[all.length >> 1] || 1
}
