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
