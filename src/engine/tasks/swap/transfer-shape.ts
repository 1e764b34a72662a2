import type { MeshPoints } from '#engine/host.ts'
import { composeSimilarities, type Point, similarityTo } from '#engine/image/geometry.ts'
import { clamp } from '#engine/image/numbers.ts'
import { alignMesh, copyMesh, meshBox, meshCentre, moveMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { distance, outlines, pointOf } from '#engine/tasks/faces/regions.ts'
import faceTriangles from '#engine/tasks/faces/triangles.json' with { type: 'json' }

/** Largest movement of a part (in face widths) and change in size (logarithm). */
const maxMove = 0.07
const maxGrowth = 0.2
/** Transferred shares of brow height and mouth width; the rest may be expression. */
const browShare = 0.8
const mouthShare = 0.5
const rounds = 120

/** Tip, wings and bridge of the nose: bone and cartilage, which expressions do not move. */
const nose = [168, 6, 197, 195, 5, 4, 1, 19, 94, 2, 98, 327, 48, 278, 64, 294, 115, 344, 220, 440, 45, 275, 51, 281]

const sides = [
  { eye: outlines.leftEye, eyeEnds: [33, 133], brow: outlines.leftBrow, browEnds: [70, 107] },
  { eye: outlines.rightEye, eyeEnds: [263, 362], brow: outlines.rightBrow, browEnds: [336, 300] },
] as const
const mouth = [...outlines.lips, ...outlines.mouth]
const mouthEnds = [61, 291] as const

type Move = readonly [number, number]

interface ShapeOptions {
  moveEyes: boolean
  moveMouth: boolean
  glasses?: { points: readonly number[]; flat: boolean } | undefined
}

/**
 * The target's mesh with the source's proportions. Eyes, brows and mouth move as a whole, so
 * expression stays; the nose moves by point; the outline is fixed, points between are harmonic.
 * Without `moveEyes` or `moveMouth` these stay; points around `glasses` keep the source's positions
 * ({@link placeGlasses}).
 */
export function transferShape(
  target: MeshPoints,
  source: MeshPoints,
  { moveEyes, moveMouth, glasses }: ShapeOptions,
): MeshPoints {
  const aligned = alignMesh(source, target)
  const limit = maxMove * meshBox(target).width
  const moves = new Map<number, Move>()
  const place = (indices: readonly number[], [x, y]: Move, growth = 0) => {
    const length = Math.hypot(x, y)
    const share = Math.min(length, limit) / (length || 1)
    const centre = meshCentre(target, indices)
    const rest = Math.exp(growth) - 1
    for (const index of indices) {
      const point = pointOf(target, index)
      moves.set(index, [x * share + rest * (point.x - centre[0]), y * share + rest * (point.y - centre[1])])
    }
  }
  const difference = (indices: readonly number[]): Move => {
    const [a, b] = [meshCentre(aligned, indices), meshCentre(target, indices)]
    return [a[0] - b[0], a[1] - b[1]]
  }
  const growth = ([a, b]: readonly [number, number]): number => {
    const length = (mesh: MeshPoints) => distance(pointOf(mesh, a), pointOf(mesh, b))
    return clamp(Math.log(length(aligned) / length(target)), -maxGrowth, maxGrowth)
  }
  const still: Move = [0, 0]
  for (const { eye, eyeEnds, brow, browEnds } of sides) {
    if (moveEyes) {
      const [[x, y], [across, down]] = [difference(eye), difference(brow)]
      place(eye, [x, y], growth(eyeEnds))
      place(brow, [across, y + browShare * (down - y)], growth(browEnds))
    } else place([...eye, ...brow], still)
  }
  for (const index of nose) place([index], difference([index]))
  if (moveMouth) place(mouth, difference(mouth), mouthShare * growth(mouthEnds))
  else place(mouth, still)
  place(outlines.face, still)
  if (glasses) {
    const worn = placeGlasses(target, source, { aligned, limit, flat: glasses.flat })
    for (const index of glasses.flat ? [...glasses.points, ...nose] : glasses.points) {
      const [own, there] = [pointOf(target, index), pointOf(worn, index)]
      moves.set(index, [there.x - own.x, there.y - own.y])
    }
  }
  return spreadMoves(target, moves)
}

/** Other points become the mean of their neighbours. */
function spreadMoves(mesh: MeshPoints, moves: ReadonlyMap<number, Move>): MeshPoints {
  const [across, down] = [new Float64Array(mesh.length), new Float64Array(mesh.length)]
  for (const [index, [x, y]] of moves) {
    across[index] = x
    down[index] = y
  }
  const free = neighbours.flatMap((near, index) => (moves.has(index) || near.length === 0 ? [] : [{ index, near }]))
  for (let round = 0; round < rounds; round++) {
    for (const { index, near } of free) {
      let x = 0
      let y = 0
      for (let k = 0; k < near.length; k++) {
        x += across[near[k] as number] as number
        y += down[near[k] as number] as number
      }
      across[index] = x / near.length
      down[index] = y / near.length
    }
  }
  const out = copyMesh(mesh)
  for (const [index, point] of out.entries()) {
    point[0] += across[index] as number
    point[1] += down[index] as number
  }
  return out
}

const neighbours = (() => {
  const sets = Array.from({ length: 468 }, () => new Set<number>())
  for (let start = 0; start < faceTriangles.length; start += 3) {
    const corners = faceTriangles.slice(start, start + 3)
    for (const a of corners) for (const b of corners) if (a !== b) sets[a]?.add(b)
  }
  return sets.map((set) => [...set])
})()

/** Mesh points at which arms of glasses reach the outline. */
const temples = { left: [127, 234, 162], right: [356, 454, 389] } as const
const eyes = [...outlines.leftEye, ...outlines.rightEye]

/**
 * Fits a mesh by a similarity in the picture: as wide as the target's temples, with the eyes within
 * `limit` pixels of the target's height. `aligned` is rotated in space like the target; with `flat`
 * it is not, and reaches both temples.
 */
function placeGlasses(
  target: MeshPoints,
  source: MeshPoints,
  { aligned, flat, limit }: { aligned: MeshPoints; flat: boolean; limit: number },
): MeshPoints {
  const own = flat ? source : aligned
  const [from, to] = [templesOf(own), templesOf(target)]
  const angle = flat ? to.angle - from.angle : 0
  const fit = similarityTo(from.middle, to.middle, angle, to.apart / from.apart)
  const [seen, wanted, there] = [aligned, target, moveMesh(own, fit)].map((mesh) => {
    const [x, y] = meshCentre(mesh, eyes)
    return { x, y }
  }) as [Point, Point, Point]
  const away = { x: seen.x - wanted.x, y: seen.y - wanted.y }
  const share = Math.min(1, limit / (Math.hypot(away.x, away.y) || 1))
  const rest = { x: wanted.x + share * away.x - there.x, y: wanted.y + share * away.y - there.y }
  // With `flat`, the eyes keep the source's horizontal position relative to the temples.
  const across = { x: Math.cos(to.angle), y: Math.sin(to.angle) }
  const along = flat ? rest.x * across.x + rest.y * across.y : 0
  const shift = { scale: 1, angle: 0, x: rest.x - along * across.x, y: rest.y - along * across.y }
  return moveMesh(own, composeSimilarities(fit, shift))
}

function templesOf(mesh: MeshPoints): { middle: Point; angle: number; apart: number } {
  const [left, right] = [meshCentre(mesh, temples.left), meshCentre(mesh, temples.right)]
  const [x, y] = [right[0] - left[0], right[1] - left[1]]
  return {
    middle: { x: (left[0] + right[0]) / 2, y: (left[1] + right[1]) / 2 },
    angle: Math.atan2(y, x),
    apart: Math.hypot(x, y) || 1,
  }
}
