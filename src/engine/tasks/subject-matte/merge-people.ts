import { connectedRegions } from '#engine/image/geometry.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { matteUncertainty, maxMatteUncertainty } from './assess.ts'

/** A network has missed a person if this share of the person's area is not in its matte. */
const missedShare = 0.5
/** Regions below this share of all people's area are noise. */
const leastPerson = 0.02

/**
 * Returns `seen`, a general network's matte (finer edges, held objects), plus the people it missed,
 * or the person model's `own` if the network hesitates. Both have the same size.
 */
export function mergePeopleMattes(seen: Plane, own: Plane): Plane {
  const network = dropDoubtfulRegions(seen)
  if (matteUncertainty(network) > maxMatteUncertainty) return own
  const { width, height } = network
  const { labels, regions } = connectedRegions(width, height, (i) => (own.data[i] as number) > 0)
  const [areas, found] = [new Float64Array(regions.length + 1), new Float64Array(regions.length + 1)]
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as number
    areas[label] = (areas[label] as number) + (own.data[i] as number)
    found[label] = (found[label] as number) + Math.min(own.data[i] as number, network.data[i] as number)
  }
  const total = areas.reduce((sum, area) => sum + area, 0)
  const isMissed = areas.map((area, label) =>
    Number(label > 0 && area > leastPerson * total && (found[label] as number) < (1 - missedShare) * area),
  )
  const out = createPlane(width, height)
  for (let i = 0; i < labels.length; i++) {
    const alpha = network.data[i] as number
    out.data[i] = isMissed[labels[i] as number] === 1 ? Math.max(alpha, own.data[i] as number) : alpha
  }
  return out
}

const invisibleAlpha = 0.02

/** Removes separate regions whose alpha is nowhere above 0.5. */
function dropDoubtfulRegions({ width, height, data }: Plane): Plane {
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > invisibleAlpha)
  const maxAlpha = new Float32Array(regions.length + 1)
  for (let i = 0; i < data.length; i++) {
    maxAlpha[labels[i] as number] = Math.max(maxAlpha[labels[i] as number] as number, data[i] as number)
  }
  return { width, height, data: data.map((alpha, i) => ((maxAlpha[labels[i] as number] as number) > 0.5 ? alpha : 0)) }
}
