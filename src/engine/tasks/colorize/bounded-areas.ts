import { connectedRegions } from '#engine/image/geometry.ts'
import { dilate, erode } from '#engine/image/morphology.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'

/** Steps of lightness, and of the probability of a person, that count as an outline. */
const outline = { lightness: 0.1, person: 0.5 } as const
/** Share of a region's rim that has to lie on outlines. */
const bounded = 0.8
/** Nearness to the face from which its skin goes on, over a neck to a chest. */
const surelyNear = 0.75

/**
 * Takes regions out of a plane of probabilities, in place, whose rim does not follow an outline of
 * the picture: an arm ends where it is seen to end, while a patch of cloth that happens to be as
 * light as skin ends somewhere on its surface. A region is what hangs together of a person above
 * `from`; `reach` pixels around its rim are looked at. What is `near` to a face stays. All planes
 * are of one size, their values 0 to 1.
 */
export function keepBoundedAreas(
  share: Plane,
  from: number,
  reach: number,
  near: Float32Array,
  { lightness, person }: { lightness: Plane; person: Plane },
): void {
  const { width, height, data } = share
  const { labels, regions } = connectedRegions(
    width,
    height,
    (i) => (data[i] as number) > from && (person.data[i] as number) > 0.5,
  )
  const rims = regions.map(() => ({ length: 0, outlined: 0 }))
  const soft = boxBlur(lightness, 1)
  const [lighter, surer] = [stepsAround(soft, reach), stepsAround(person, reach)]
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      const label = labels[i] as number
      const rim = rims[label - 1]
      const inner = [i - 1, i + 1, i - width, i + width].every((beside) => labels[beside] === label)
      if (!rim || inner) continue
      rim.length += 1
      const outlined = (lighter[i] as number) > outline.lightness || (surer[i] as number) > outline.person
      if (outlined) rim.outlined += 1
    }
  }
  const dropped = createPlane(width, height)
  for (let i = 0; i < labels.length; i++) {
    const rim = rims[(labels[i] as number) - 1]
    if (rim && rim.outlined < bounded * rim.length) dropped.data[i] = 1
  }
  const away = dilate(dropped, reach).data
  for (let i = 0; i < data.length; i++) if (away[i] === 1 && (near[i] as number) < surelyNear) data[i] = 0
}

/** The difference between the largest and the smallest value around each pixel. */
function stepsAround(plane: Plane, reach: number): Float32Array {
  const [most, least] = [dilate(plane, reach).data, erode(plane, reach).data]
  return most.map((value, i) => value - (least[i] as number))
}
