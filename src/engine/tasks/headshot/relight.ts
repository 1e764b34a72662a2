import type { MeshPoints } from '#engine/host.ts'
import type { Direction } from '#engine/image/light-probe.ts'
import { borderDistance } from '#engine/image/morphology.ts'
import { clamp, weightedMean } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { boxBlur, smoothRows } from '#engine/image/plane.ts'
import { smoothMap } from '#engine/image/smooth-map.ts'
import { lumaAt } from '#engine/image/tones.ts'
import { meshNormals, normalised } from '#engine/tasks/faces/mesh-geometry.ts'
import type { FaceSurface } from '#engine/tasks/faces/skin.ts'

/** Direction of the softbox: from the left, above and in front of the face. */
const lamp = normalised([-0.5, -0.55, 0.67])
const softboxShare = 0.34
/** Largest local change of brightness, as a logarithm. */
const maxChange = 0.42
const dark = 10
/** Brightness above which lit skin is compressed towards white instead of clipped. */
const shoulder = 200

/** Target for the skin's median brightness (0 to 1), share applied, and limits as logarithms. */
const exposure = { wanted: 0.62, share: 0.55, least: -0.12, most: 0.45 }
/**
 * White balance as logarithms of red and blue relative to green, measured on grey areas: `grey`
 * limits their chroma (also below half of the skin's), brightness (0 to 255) and share. Skin never
 * leaves the range `skin`; without grey areas only skin outside it, which white light never causes,
 * shows a cast.
 */
const whiteBalance = {
  grey: { red: 0.12, blue: 0.16, bright: 140, share: 0.02 },
  skin: { red: [0.2, 0.6], blue: [-0.7, -0.12] },
  most: 0.16,
} as const

/**
 * Relights a cut-out head in place: exposure from skin, white balance from grey areas, softened
 * shadows, and a large lamp from the upper left on the mesh's normals. Only smooth light changes
 * (quotient image), so skin keeps its texture. `surface` and `mesh` are in pixels of `small`;
 * `shade` gives the brightness by the normal for another light than the lamp's.
 */
export function relight(
  picture: Picture,
  small: Picture,
  mesh: MeshPoints,
  surface: Pick<FaceSurface, 'skin' | 'hull'>,
  strength: number,
  shade: (normal: Direction) => number = softboxShade,
): void {
  if (strength <= 0) return
  const bright = createPlane(small.width, small.height)
  for (let i = 0; i < bright.data.length; i++) bright.data[i] = Math.log(lumaAt(small.data, i) + dark)
  const unit = 0.5 * small.width
  const seen = smoothMap(bright, surface.skin, 0.05 * unit)
  const middle = weightedMean(seen.data, surface.skin.data, 1)
  const model = boxBlur(shading(mesh, small, shade), Math.max(1, Math.round(0.03 * unit)))
  const modelMiddle = weightedMean(model.data, surface.skin.data, 1)
  const change = createPlane(small.width, small.height)
  const weight = createPlane(small.width, small.height)
  for (let i = 0; i < change.data.length; i++) {
    const inside = surface.hull.data[i] as number
    if (inside === 0) continue
    const ideal = Math.log((model.data[i] as number) / modelMiddle)
    const own = (seen.data[i] as number) - middle
    change.data[i] = clamp(0.75 * (ideal - own), -maxChange, maxChange)
    weight.data[i] = 1
  }
  // Outside the face the change continues and fades out, so that neck and hair match it.
  const spread = smoothMap(change, weight, 0.05 * unit)
  const away = borderDistance(surface.hull)
  const gain = exposureFor(middle)
  const cast = lightCast(small, surface)
  for (let i = 0; i < spread.data.length; i++) {
    const fade = (surface.hull.data[i] as number) > 0 ? 1 : Math.exp(-(((away[i] as number) / (0.45 * unit)) ** 2))
    spread.data[i] = (spread.data[i] as number) * fade
  }
  const local = boxBlur(spread, Math.max(1, Math.round(0.03 * unit)))
  for (let i = 0; i < local.data.length; i++) {
    local.data[i] = Math.exp(strength * ((local.data[i] as number) + gain))
  }
  const colours = [-cast.red, (0.3 * cast.red + 0.11 * cast.blue) / 0.59, -cast.blue]
  apply(
    picture,
    local,
    colours.map((colour) => Math.exp(strength * colour)),
  )
}

/** In place; compresses highlights towards white. */
function apply({ width, height, data }: Picture, localFactors: Plane, colours: readonly number[]): void {
  const placeRow = smoothRows(localFactors, width, height)
  for (let y = 0, at = 0; y < height; y++) {
    const row = placeRow(y)
    for (let x = 0; x < width; x++, at += 4) {
      if (data[at + 3] === 0) continue
      for (let c = 0; c < 3; c++) {
        const own = data[at + c] as number
        const value = (own + 4) * (row[x] as number) * (colours[c] as number) - 4
        const knee = Math.max(own, shoulder)
        data[at + c] = value > knee ? knee + (256 - knee) * (1 - Math.exp((knee - value) / (256 - knee))) : value
      }
    }
  }
}

function exposureFor(logBrightness: number): number {
  const wanted = Math.log(exposure.wanted / Math.max(0.05, (Math.exp(logBrightness) - dark) / 255))
  return Math.min(exposure.most, Math.max(exposure.least, exposure.share * wanted))
}

function hueAt(data: Uint8ClampedArray, i: number): [red: number, blue: number] {
  const green = Math.log((data[4 * i + 1] as number) + dark)
  return [Math.log((data[4 * i] as number) + dark) - green, Math.log((data[4 * i + 2] as number) + dark) - green]
}

function lightCast(small: Picture, { skin, hull }: Pick<FaceSurface, 'skin' | 'hull'>): { red: number; blue: number } {
  const own = [0, 1].map((k) => {
    const hues = createPlane(small.width, small.height)
    for (let i = 0; i < hues.data.length; i++) hues.data[i] = hueAt(small.data, i)[k as 0 | 1]
    return weightedMean(hues.data, skin.data, 1)
  }) as [number, number]
  // Black-and-white photographs stay unchanged.
  if (Math.abs(own[0]) + Math.abs(own[1]) < 0.03) return { red: 0, blue: 0 }
  const [reds, blues]: [number[], number[]] = [[], []]
  let covered = 0
  for (let i = 0; i < hull.data.length; i++) {
    if ((small.data[4 * i + 3] as number) < 250 || (hull.data[i] as number) > 0) continue
    covered++
    if (lumaAt(small.data, i) < whiteBalance.grey.bright) continue
    const [red, blue] = hueAt(small.data, i)
    if (Math.abs(red) > Math.min(whiteBalance.grey.red, 0.5 * own[0])) continue
    if (Math.abs(blue) > Math.min(whiteBalance.grey.blue, Math.max(0.04, -0.5 * own[1]))) continue
    reds.push(red)
    blues.push(blue)
  }
  const seen = reds.length > 0 && reds.length >= whiteBalance.grey.share * covered
  const castOf = (greys: number[], value: number, [least, most]: readonly [number, number]) => {
    const within = clamp(value, least, most)
    // Skin is never moved out of the usual range, or further out.
    const [lowest, highest] = [value - Math.max(most, value), value - Math.min(least, value)]
    return clamp(seen ? clamp(medianOf(greys), lowest, highest) : value - within, -whiteBalance.most, whiteBalance.most)
  }
  return { red: castOf(reds, own[0], whiteBalance.skin.red), blue: castOf(blues, own[1], whiteBalance.skin.blue) }
}

const medianOf = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] as number

function shading(mesh: MeshPoints, size: Size, shade: (normal: Direction) => number): Plane {
  const normals = meshNormals(mesh)
  const known = createPlane(size.width, size.height)
  const values = createPlane(size.width, size.height)
  for (const [index, [x, y]] of mesh.entries()) {
    const [column, row] = [Math.round(x), Math.round(y)]
    if (column < 0 || row < 0 || column >= size.width || row >= size.height) continue
    values.data[row * size.width + column] = shade(normals[index] as Direction)
    known.data[row * size.width + column] = 1
  }
  return smoothMap(values, known, 0.035 * size.width)
}

/** Brightness of a surface in the light of the softbox. */
function softboxShade([x, y, z]: Direction): number {
  const facing = Math.max(0, x * lamp[0] + y * lamp[1] - z * lamp[2])
  return 1 - softboxShare + 1.35 * softboxShare * facing
}
