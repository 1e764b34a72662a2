import { connectedRegions } from '#engine/image/geometry.ts'
import { dilate, erode } from '#engine/image/morphology.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'

/** A step of lightness that counts as an outline, and how much of one a person's outline is. */
const outline = { step: 0.1, person: 0.2 } as const
/** Share of a region's rim that has to lie on outlines. */
const bounded = 0.8
/** Nearness to the face from which its skin goes on, over a neck to a chest. */
const surelyNear = 0.5

/**
 * Takes regions out of a plane of probabilities, in place, whose rim does not follow an outline of
 * the picture: an arm ends where it is seen to end, while a patch of cloth that happens to be as
 * light as skin ends somewhere on its surface. A region is what hangs together of a person above
 * `from`; `reach` pixels around its rim are looked at. What is `near` to a face stays. All planes
 * are of one size, their values 0 to 1.
 */
export function keepBoundedAreas(
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
    if ([i - 1, i + 1, i - width, i + width].every((beside) => labels[beside] === labels[i])) continue
    rim.length += 1
    if ((most[i] as number) - (least[i] as number) > outline.step) rim.outlined += 1
  }
  const open = createPlane(width, height)
  for (let i = 0; i < labels.length; i++) {
    const rim = rims[(labels[i] as number) - 1]
    if (rim && rim.outlined < bounded * rim.length) open.data[i] = 1
  }
  const away = dilate(open, reach).data
  for (let i = 0; i < data.length; i++) if (away[i] === 1 && (near[i] as number) < surelyNear) data[i] = 0
}
