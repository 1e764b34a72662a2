import type { EngineHost, MeshPoints } from '#engine/host.ts'
import { connectedRegions } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { resizePlane } from '#engine/image/plane.ts'
import { findSalience } from '#engine/tasks/subject-matte/index.ts'

// The person model keeps parts of walls of logos, shelves and cars that touch a head's outline. The
// network of salience, which sees the head and shoulders as one thing, keeps few of them. What both
// keep cannot be told: neither colours nor the rest of the disagreement pointed it out on 30
// composites.

/**
 * Salience of a remnant's core and of all of it, alpha of both, and least area of the core in
 * squares of the head's height: chosen on 30 composites of known alpha.
 */
const remnant = { core: 0.1, most: 0.2, coreAlpha: 0.3, alpha: 0.1, area: 0.0005 } as const
/** Larger parts are likelier a shoulder, and stay. */
const largestRemnant = 0.15

/**
 * Removes parts of the old background from a matte of one person, in place. Returns true if a part
 * stays that may be background. `head` is the height of the head in pixels.
 */
export async function removeRemnants(
  part: Picture,
  matte: Plane,
  head: number,
  mesh: MeshPoints,
  host: EngineHost,
): Promise<boolean> {
  const salience = resizePlane(await findSalience(part, host), matte)
  const { width, height } = matte
  const isRemnant = (i: number) =>
    (matte.data[i] as number) > remnant.alpha && (salience.data[i] as number) < remnant.most
  const { labels, regions } = connectedRegions(width, height, isRemnant)
  const cores = new Float64Array(regions.length + 1)
  for (let i = 0; i < labels.length; i++) {
    const isCore = (salience.data[i] as number) < remnant.core && (matte.data[i] as number) > remnant.coreAlpha
    if (isCore) cores[labels[i] as number]!++
  }
  const inFace = new Set(mesh.map(([x, y]) => labels[Math.floor(y) * width + Math.floor(x)]))
  const unit = head * head
  const found = regions.filter(({ label }) => label > 0 && (cores[label] as number) > remnant.area * unit)
  const removed = new Set(
    found.filter(({ label, area }) => area < largestRemnant * unit && !inFace.has(label)).map(({ label }) => label),
  )
  for (let i = 0; i < labels.length; i++) {
    if (removed.has(labels[i] as number)) matte.data[i] = 0
  }
  return removed.size < found.length
}
