import { connectedRegions } from '#engine/image/geometry.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { hesitation, maxHesitation } from './assess.ts'

/** Share of a person from which on a network has missed somebody. */
const missed = 0.5
/** People smaller than this share of all that were found are chance. */
const leastPerson = 0.02

/**
 * The people of a picture by two ways: a network for any subject, which sees finer edges and what
 * they hold, and the engine's own for people, which takes nothing else for them. The network counts
 * unless it hesitates; whom it has missed is added. Both of one size.
 */
export function joinPeople(seen: Plane, own: Plane): Plane {
  const network = withoutSuspects(seen)
  if (hesitation(network) > maxHesitation) return own
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
    Number(label > 0 && area > leastPerson * total && (found[label] as number) < (1 - missed) * area),
  )
  const out = createPlane(width, height)
  for (let i = 0; i < labels.length; i++) {
    const alpha = network.data[i] as number
    out.data[i] = isMissed[labels[i] as number] === 1 ? Math.max(alpha, own.data[i] as number) : alpha
  }
  return out
}

/** Alpha that nobody sees. */
const faint = 0.02

/** Leaves away what stands by itself and is nowhere rather the subject than not. */
function withoutSuspects({ width, height, data }: Plane): Plane {
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > faint)
  const surest = new Float32Array(regions.length + 1)
  for (let i = 0; i < data.length; i++) {
    surest[labels[i] as number] = Math.max(surest[labels[i] as number] as number, data[i] as number)
  }
  return { width, height, data: data.map((alpha, i) => ((surest[labels[i] as number] as number) > 0.5 ? alpha : 0)) }
}
