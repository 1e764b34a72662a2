import type { EngineHost } from '#engine/host.ts'
import { clipBox, connectedRegions, type Region, scaleBox } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { cropPlane } from '#engine/image/pixels.ts'
import { resizePlane, shareAbove } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import { findSalience } from './find-object.ts'
import type { DetectedPerson } from './people.ts'

// The person model loses ears before a wall of their colour, and draws soft outlines. The network
// of salience sees both well, but takes what touches a head for a part of it.

/** The face of a person alone and the salience, both at the size of a mask. */
export interface PortraitHead {
  face: Box
  salience: Plane
}

/** Salience of the face from which the network sees the same person. */
const seenFace = 0.5

/**
 * Undefined for several people, where the network of salience does not see the face, and where it
 * is not needed: `known` is its answer, which takes long, and `doubtful` is the person model's.
 */
export async function findPortraitHead(
  picture: Picture,
  people: readonly DetectedPerson[],
  probability: Plane,
  { doubtful, known }: { doubtful: boolean; known?: Plane | undefined },
  host: EngineHost,
): Promise<PortraitHead | undefined> {
  const [person, other] = people
  if (!person || other || person.part !== 'face') return undefined
  const face = scaleBox(person.box, probability.width / picture.width, probability.height / picture.height)
  if (!known && !doubtful && !mayLackEar(probability, face)) return undefined
  const salience = resizePlane(known ?? (await findSalience(picture, host)), probability)
  const inside = clipBox(face, probability)
  if (!inside) return undefined
  const { x, y, width, height } = inside
  return shareAbove(cropPlane(salience, x, y, width, height), 0.5) < seenFace ? undefined : { face, salience }
}

/** Rows of the ears in a face's box, and least half width of a head with ears or hair there. */
const earRows = { from: 0.38, to: 0.58, aside: 0.385 } as const

function mayLackEar({ width, height, data }: Plane, face: Box): boolean {
  const middle = Math.round(face.x + face.width / 2)
  const reach = (step: -1 | 1) => {
    let most = 0
    for (
      let y = Math.max(0, Math.round(face.y + earRows.from * face.height));
      y < Math.min(height, face.y + earRows.to * face.height);
      y++
    ) {
      let x = middle
      while (x >= 0 && x < width && (data[y * width + x] as number) > 0.5) x += step
      if (x < 0 || x >= width) return 1
      most = Math.max(most, Math.abs(x - middle) / face.width)
    }
    return most
  }
  return reach(-1) < earRows.aside || reach(1) < earRows.aside
}

/** Place of the ears and largest lost part of them, in sides and squares of a face's box. */
const lostEar = { aside: 0.1, from: -0.1, to: 0.8, area: 0.035 } as const

/** Adds the lost ears to a probability, in place, and makes certain where both networks agree. */
export function sharpenHead(probability: Plane, { face, salience }: PortraitHead): void {
  const { width, height, data } = probability
  for (let i = 0; i < data.length; i++) {
    const [p, q] = [data[i] as number, salience.data[i] as number]
    if (p > 0.5 === q > 0.5) data[i] = (p * q) / Math.max(1e-9, p * q + (1 - p) * (1 - q))
  }
  const isLost = (i: number) => (data[i] as number) <= 0.5 && (salience.data[i] as number) > 0.5
  const { labels, regions } = connectedRegions(width, height, isLost)
  const isEar = ({ area, box }: Region) =>
    area < lostEar.area * face.width * face.height &&
    box.x > face.x - lostEar.aside * face.width &&
    box.x + box.width < face.x + (1 + lostEar.aside) * face.width &&
    box.y > face.y + lostEar.from * face.height &&
    box.y + box.height < face.y + lostEar.to * face.height
  const found = new Set(regions.filter(isEar).map(({ label }) => label))
  for (let i = 0; i < data.length; i++) {
    if (labels[i] !== 0 && found.has(labels[i] as number)) data[i] = salience.data[i] as number
  }
}
