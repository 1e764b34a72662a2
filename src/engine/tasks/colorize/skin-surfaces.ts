import { connectedRegions } from '#engine/image/geometry.ts'
import { dilate, erode } from '#engine/image/morphology.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'

/** Step of lightness that counts as an outline, and the step added by a person's outline. */
const outline = { step: 0.1, person: 0.2 } as const
/** Share of a region's rim that has to lie on outlines. */
const outlinedShare = 0.8
/** Nearness to the face above which skin continues, for example over a neck to a chest. */
const skinContinues = 0.5

/**
 * Clears regions of skin probability, in place, whose rim follows no outline: an arm ends at a
 * visible edge, cloth as light as skin in the middle of a surface. Regions are a person's areas
 * above `from`; outlines count within `reach` pixels. Parts `near` a face stay. Planes have one
 * size, values 0 to 1.
 */
export function dropUnboundedAreas(
  { width, height, data }: Plane,
  from: number,
  reach: number,
  near: Float32Array,
  { lightness, person }: { lightness: Plane; person: Plane },
): void {
  const inside = (i: number) => (data[i] as number) > from && (person.data[i] as number) > 0.5
  const { labels, regions } = connectedRegions(width, height, inside)
  const rims = regions.map(() => ({ length: 0, outlined: 0 }))
  const sum = lightness.data.map((level, i) => level + outline.person * (person.data[i] as number))
  const seen = boxBlur({ width, height, data: sum }, 1)
  const [most, least] = [dilate(seen, reach).data, erode(seen, reach).data]
  for (let i = width; i < labels.length - width; i++) {
    const rim = rims[(labels[i] as number) - 1]
    if (!rim || i % width === 0 || i % width === width - 1) continue
    if ([i - 1, i + 1, i - width, i + width].every((neighbour) => labels[neighbour] === labels[i])) continue
    rim.length += 1
    if ((most[i] as number) - (least[i] as number) > outline.step) rim.outlined += 1
  }
  const open = createPlane(width, height)
  for (let i = 0; i < labels.length; i++) {
    const rim = rims[(labels[i] as number) - 1]
    if (rim && rim.outlined < outlinedShare * rim.length) open.data[i] = 1
  }
  const away = dilate(open, reach).data
  for (let i = 0; i < data.length; i++) if (away[i] === 1 && (near[i] as number) < skinContinues) data[i] = 0
}

/** Range of lightness in 3 × 3 pixels that separates two surfaces. */
const surfaceEdge = 0.05
/** Share of skin from which a surface is skin altogether; below, it is none. */
const skinOfSurface = 0.5
/** Nearness of the face's own skin; a surface as large as so many faces is clothes, not a limb. */
const ofFace = 0.95
const maxFaces = 2

/**
 * Makes each surface between edges skin altogether or not at all, in place, so that no forearm gets
 * a colour without its hand. Arguments as in {@link dropUnboundedAreas}.
 */
export function completeSurfaces(
  { width, height, data }: Plane,
  from: number,
  near: Float32Array,
  { lightness, person }: { lightness: Plane; person: Plane },
): void {
  const seen = boxBlur(lightness, 1)
  const [most, least] = [dilate(seen, 1).data, erode(seen, 1).data]
  const inside = (i: number) =>
    (person.data[i] as number) > 0.5 && (most[i] as number) - (least[i] as number) < surfaceEdge
  const { labels, regions } = connectedRegions(width, height, inside)
  const skin = new Float64Array(regions.length + 1)
  for (let i = 0; i < labels.length; i++) if ((data[i] as number) > from) skin[labels[i] as number]!++
  const largest = maxFaces * near.reduce((sum, value) => sum + Number(value > ofFace), 0)
  const share = new Float64Array(regions.length + 1)
  for (const { label, area } of regions) share[label] = (skin[label] as number) / area
  const whole = createPlane(width, height)
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as number
    if ((share[label] as number) > skinOfSurface && (regions[label - 1]?.area ?? 0) <= largest) whole.data[i] = 1
  }
  const beside = dilate(whole, 2).data
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as number
    const isMostly = (share[label] as number) > skinOfSurface
    // Of a surface that is mostly no skin, only what continues the face; and the edges beside skin.
    const isKept = isMostly || (near[i] as number) > skinContinues || (label === 0 && beside[i] === 1)
    data[i] = whole.data[i] === 1 ? 1 : isKept ? (data[i] as number) : 0
  }
}

/**
 * Clears possible skin, in place, that touches no certain skin: it would be a patch of colour on a
 * grey arm. `limits` are the values of possible and of certain skin.
 */
export function dropIsolatedPatches({ width, height, data }: Plane, limits: readonly [number, number]): void {
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > limits[0])
  const certain = new Uint8Array(regions.length + 1)
  for (let i = 0; i < labels.length; i++) if ((data[i] as number) > limits[1]) certain[labels[i] as number] = 1
  for (let i = 0; i < labels.length; i++) if (certain[labels[i] as number] === 0) data[i] = 0
}
