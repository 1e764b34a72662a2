import type { MeshPoints } from '#engine/host.ts'
import { smoothKeepingEdges } from '#engine/image/domain-transform.ts'
import { countedQuantile } from '#engine/image/numbers.ts'
import { copyPlane, createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { valueAt } from '#engine/image/plane.ts'
import { structureTensor } from '#engine/image/structure-tensor.ts'
import type { Tones } from '#engine/image/tones.ts'
import { openness } from '#engine/tasks/faces/mesh-geometry.ts'
import { distance, meanPoint, outlineOf, pointOf } from '#engine/tasks/faces/regions.ts'

/** All planes have the picture's size. */
export interface StyleInput {
  tones: Tones
  /** Lightness without grain, with red darkened, from which lines are drawn. */
  drawing: Plane
  flow: EdgeFlow
  /** 0 to 1: lines are finer and skin is smoother there. */
  face: Plane
  /** Eyes, brows and mouths, 0 to 1: these stay sharp. */
  features: Plane
  eyes: readonly Eye[]
  /** Distance from the photograph, 0 to 1. */
  strength: number
  lines: boolean
  /** Draws a paper border around the picture; false for cut-outs. */
  rim: boolean
  /** Pixels in a thousandth of the longer side: sizes of strokes and dots scale with it. */
  unit: number
}

/** Draws an opaque picture of the input's size; must not modify the input. */
export type Style = (input: StyleInput) => Picture

/** Unit tangent of the edge at every pixel. */
export interface EdgeFlow {
  x: Plane
  y: Plane
}

/** Squared contrast of grain. */
const grain = 0.0003

/**
 * Edge directions (used for line drawing by Kyprianidis & Kang 2011): the structure tensor's
 * smaller eigenvector, averaged over about `radius` pixels. Where all squared contrasts are below
 * `faint`, down to the right, like hatching by hand.
 */
export function edgeFlow(luma: Plane, radius: number, faint = grain): EdgeFlow {
  const { xx: sxx, xy: sxy, yy: syy } = structureTensor(luma, radius, 2)
  const [x, y] = [createPlane(luma.width, luma.height), createPlane(luma.width, luma.height)]
  for (let i = 0; i < x.data.length; i++) {
    const p = (sxx.data[i] as number) + faint / 2
    const q = (sxy.data[i] as number) - faint / 2
    const r = (syy.data[i] as number) + faint / 2
    const half = Math.sqrt((p - r) * (p - r) + 4 * q * q) / 2
    const mean = (p + r) / 2
    // The larger eigenvector points across the edge; the tangent is perpendicular to it.
    const ex = q
    const ey = mean + half - p
    const length = Math.sqrt(ex * ex + ey * ey)
    x.data[i] = length > 1e-9 ? -ey / length : p >= r ? 0 : 1
    y.data[i] = length > 1e-9 ? ex / length : p >= r ? 1 : 0
  }
  return { x, y }
}

function copyTones({ luma, blue, red }: Tones): Tones {
  return { luma: copyPlane(luma), blue: copyPlane(blue), red: copyPlane(red) }
}

/**
 * Removes fine texture, less in features. `reach` is in thousandths of the longer side, `contrast`
 * (0 to 1) the weakest step that stays. The second pass is guided by the first (rolling guidance,
 * Zhang et al. 2014): a single one that flattens an area would bleed over its border.
 */
export function removeFineTexture({ tones, features, unit }: StyleInput, reach: number, contrast: number): Tones {
  const out = copyTones(tones)
  const channels = [out.luma, out.blue, out.red]
  const sigmaSpace = Math.max(2, reach * unit)
  smoothKeepingEdges(channels, [tones.luma, tones.blue, tones.red], { sigmaSpace, sigmaRange: contrast, rounds: 2 })
  const guides = copyTones(out)
  smoothKeepingEdges(channels, [guides.luma, guides.blue, guides.red], {
    sigmaSpace,
    sigmaRange: 0.5 * contrast,
    rounds: 2,
  })
  for (let i = 0; i < features.data.length; i++) {
    const keep = 0.7 * (features.data[i] as number)
    if (keep === 0) continue
    for (const name of ['luma', 'blue', 'red'] as const) {
      const smooth = out[name].data[i] as number
      out[name].data[i] = smooth + keep * ((tones[name].data[i] as number) - smooth)
    }
  }
  return out
}

/** Soft quantisation in place (Winnemöller et al. 2006), which does not flicker along gradients. */
export function quantiseLightness(luma: Plane, bins: number, sharpness: number): void {
  const width = 1 / bins
  for (let i = 0; i < luma.data.length; i++) {
    const value = luma.data[i] as number
    const nearest = width * (Math.floor(value * bins) + 0.5)
    luma.data[i] = nearest + (width / 2) * Math.tanh(sharpness * (value - nearest) * bins)
  }
}

export function scaleSaturation({ blue, red }: Tones, factor: number): void {
  for (let i = 0; i < blue.data.length; i++) {
    blue.data[i] = (blue.data[i] as number) * factor
    red.data[i] = (red.data[i] as number) * factor
  }
}

/** Stretches the 1st and 99th percentiles to 0 and 1, at most doubling contrast, in place. */
export function stretchContrast(luma: Plane): void {
  const counts = new Uint32Array(256)
  for (let i = 0; i < luma.data.length; i++) {
    const bin = Math.max(0, Math.min(255, Math.round((luma.data[i] as number) * 255)))
    counts[bin] = (counts[bin] as number) + 1
  }
  const bottom = Math.min(0.25, countedQuantile(counts, 0.01) / 255)
  const top = Math.max(0.75, countedQuantile(counts, 0.99) / 255)
  const scale = 1 / (top - bottom)
  for (let i = 0; i < luma.data.length; i++) luma.data[i] = ((luma.data[i] as number) - bottom) * scale
}

/** In place: towards black, or towards the colour's own dark shade with `tint` > 0. */
export function applyInk({ luma, blue, red }: Tones, ink: Plane, amount: number, tint = 0): void {
  for (let i = 0; i < ink.data.length; i++) {
    const cover = amount * (ink.data[i] as number)
    if (cover === 0) continue
    luma.data[i] = (luma.data[i] as number) * (1 - cover * (1 - 0.3 * tint))
    const colour = 1 - cover * (1 - tint)
    blue.data[i] = (blue.data[i] as number) * colour
    red.data[i] = (red.data[i] as number) * colour
  }
}

/** In pixels of the picture. */
export interface Eye {
  x: number
  y: number
  width: number
  /** Unit vector towards the forehead. */
  up: { x: number; y: number }
  open: boolean
}

const corners = { leftEye: [33, 133], rightEye: [362, 263] } as const
/** Height by width below which an eye counts as shut. */
const minOpenness = 0.17

export function eyesOf(meshes: readonly MeshPoints[]): Eye[] {
  return meshes.flatMap((points) =>
    (['leftEye', 'rightEye'] as const).map((name): Eye => {
      const [first, last] = corners[name]
      const [a, b] = [pointOf(points, first), pointOf(points, last)]
      const width = Math.max(1, distance(a, b))
      const { x, y } = meanPoint(outlineOf(points, name))
      const up = { x: (b.y - a.y) / width, y: -(b.x - a.x) / width }
      return { x, y, width, up, open: openness(points, name) > minOpenness }
    }),
  )
}

/** Extent of the warp around an eye, in eye widths: sideways, and up and down. */
const warpExtent = { aside: 0.95, along: 0.85 } as const

/** Enlarges every open eye in planes of one size: wider by `growth` and higher by twice that. */
export function enlargeEyes(planes: readonly Plane[], eyes: readonly Eye[], growth: number): Plane[] {
  const out = planes.map(copyPlane)
  for (const eye of eyes) {
    if (!eye.open) continue
    const far = Math.ceil(eye.width)
    const { width, height } = out[0] as Plane
    for (let y = Math.max(0, Math.floor(eye.y - far)); y < Math.min(height - 1, eye.y + far); y++) {
      for (let x = Math.max(0, Math.floor(eye.x - far)); x < Math.min(width - 1, eye.x + far); x++) {
        const [dx, dy] = [x - eye.x, y - eye.y]
        const along = dx * eye.up.x + dy * eye.up.y
        const aside = dy * eye.up.x - dx * eye.up.y
        const away = Math.hypot(aside / warpExtent.aside, along / warpExtent.along) / eye.width
        if (away >= 1) continue
        const share = growth * (1 - away * away) ** 2
        const [a, b] = [aside * (1 - share), along * (1 - 2 * share)]
        const [fromX, fromY] = [eye.x + b * eye.up.x - a * eye.up.y, eye.y + b * eye.up.y + a * eye.up.x]
        for (const [k, plane] of planes.entries()) {
          ;(out[k] as Plane).data[y * width + x] = valueAt(plane, fromX, fromY)
        }
      }
    }
  }
  return out
}
