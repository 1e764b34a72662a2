import type { MeshPoints } from '../../host.ts'
import { outlines } from '../landmarks.ts'
import { alignMesh, copyMesh, meshBox, meshCentre } from '../mesh-geometry.ts'
import { faceTriangles } from '../triangles.ts'

/** How much of the difference in shape is taken over, and how far a point may move, as a share of the face's width. */
const share = 1
const maxMove = 0.07
const rounds = 120

/** Tip, wings and bridge of the nose: bone and cartilage, which no expression moves. */
const nose = [168, 6, 197, 195, 5, 4, 1, 19, 94, 2, 98, 327, 48, 278, 64, 294, 115, 344, 220, 440, 45, 275, 51, 281]

/**
 * The target's mesh with the places of the source's eyes, brows, nose and mouth: these parts are moved as a whole, so that the target's
 * expression stays, the outline stays where it is, and all points between follow smoothly (harmonic on the mesh). `still` keeps eyes and
 * brows, `closed` lets the mouth move.
 */
export function sharedShape(
  target: MeshPoints,
  source: MeshPoints,
  { moveEyes, moveMouth }: { moveEyes: boolean; moveMouth: boolean },
): MeshPoints {
  const aligned = alignMesh(source, target)
  const limit = maxMove * meshBox(target).width
  const moves = new Map<number, [number, number]>()
  const move = (indices: readonly number[], by: [number, number]) => {
    const length = Math.hypot(...by)
    const scale = (share * Math.min(length, limit)) / (length || 1)
    for (const index of indices) moves.set(index, [by[0] * scale, by[1] * scale])
  }
  const difference = (indices: readonly number[]): [number, number] => {
    const [a, b] = [meshCentre(aligned, indices), meshCentre(target, indices)]
    return [a[0] - b[0], a[1] - b[1]]
  }
  for (const [eye, brow] of [
    [outlines.leftEye, outlines.leftBrow],
    [outlines.rightEye, outlines.rightBrow],
  ] as const) {
    const by: [number, number] = moveEyes ? difference(eye) : [0, 0]
    move(eye, by)
    move(brow, by)
  }
  for (const index of nose) move([index], difference([index]))
  const mouth = [...outlines.lips, ...outlines.mouth]
  move(mouth, moveMouth ? difference(mouth) : [0, 0])
  for (const index of outlines.face) moves.set(index, [0, 0])
  return spread(target, moves)
}

/** Moves the given points and lets all others follow the mean of their neighbours. */
function spread(mesh: MeshPoints, moves: ReadonlyMap<number, [number, number]>): MeshPoints {
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
