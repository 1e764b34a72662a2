import type { EngineHost } from '#engine/host.ts'
import { clipBox, growBox } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import {
  appearanceLikeness,
  describeFace,
  embeddingSimilarity,
  meshBox,
  meshOffset,
  placeMesh,
  uprightFace,
} from '#engine/tasks/faces/index.ts'
import type { FaceInPicture, SwapPatch } from '#engine/tasks/swap/index.ts'
import type { Facts, WarningCode } from '#tools/contract/tool.ts'

/** Likeness to both faces, by appearance and by embeddings, −1 to 1. */
export type Swap = {
  appearance: { source: number; target: number }
  embedding: { source: number; target: number }
  glasses: boolean
  /** Mean distance of its own mesh from the target's, as a share of the face's width. */
  away: number
}

/**
 * Below this appearance likeness to the source, or this share of the target's face, a swap is
 * blotchy or a patchwork; beyond this mesh distance, eyes and mouth do not fit the head. Chosen by
 * eye on 24 swaps, the last on 120, of photographs outside the test sets.
 */
const usableLimits = { appearance: 0.68, coverage: 0.6, away: 0.035 } as const
/**
 * A swap that looks this much like the source may be closer to the target by this embedding
 * likeness, as with two photographs of one person. Chosen by eye on 24 swaps refused for that
 * alone.
 */
const lookalike = { appearance: 0.9, nearer: 0.08 } as const

/** With their glasses persons stay like themselves. */
export function isUsable(swap: Swap, { coverage }: Pick<SwapPatch, 'coverage'>): boolean {
  const { appearance, embedding, glasses, away } = swap
  const nearer = appearance.source >= lookalike.appearance ? lookalike.nearer : 0
  const alike = glasses || embedding.source > embedding.target - nearer
  return (
    alike &&
    appearance.source >= usableLimits.appearance &&
    coverage >= usableLimits.coverage &&
    away <= usableLimits.away
  )
}

export async function compareSwap(
  source: FaceInPicture,
  target: FaceInPicture,
  patch: SwapPatch,
  host: EngineHost,
): Promise<Swap> {
  const result = swappedFace(target, patch)
  const appearance = {
    source: round(appearanceLikeness(result, source, target.face, patch)),
    target: round(appearanceLikeness(result, target, target.face, patch)),
  }
  const [own, from, to] = [
    await describeFace(result.picture, result.face.points, host),
    await describeFace(source.picture, source.face.points, host),
    await describeFace(target.picture, target.face.points, host),
  ].map(({ embedding }) => embedding) as [Float32Array, Float32Array, Float32Array]
  const embedding = { source: round(embeddingSimilarity(own, from)), target: round(embeddingSimilarity(own, to)) }
  const { points } = await uprightFace(result.picture, result.face, host)
  const away = round(meshOffset(points, result.face.points))
  const { target: glasses } = patch.glasses
  return { appearance, embedding, glasses, away }
}

const round = (value: number) => Math.round(value * 1000) / 1000

/** Share of the face's longer side. */
const contextMargin = 0.75

/** Has the target's pose, expression and mesh. */
function swappedFace({ picture, face }: FaceInPicture, patch: SwapPatch): FaceInPicture {
  const faceBox = meshBox(face.points)
  const box = clipBox(growBox(faceBox, contextMargin * Math.max(faceBox.width, faceBox.height)), picture) ?? patch.box
  const part = cropPicture(picture, box)
  pastePatch(part, patch.picture, { x: patch.box.x - box.x, y: patch.box.y - box.y })
  return { picture: part, face: { ...face, points: placeMesh(face.points, box.x, box.y, 1) } }
}

export function summarizeSwaps(
  swaps: readonly Swap[],
  keepGlasses: boolean,
): { warnings: WarningCode[]; facts: Facts } {
  const warnings = new Set<WarningCode>()
  for (const { embedding, glasses } of swaps) {
    if (embedding.source >= embedding.target) continue
    warnings.add(glasses && keepGlasses ? 'glasses_decide' : 'little_alike')
  }
  const glasses = swaps.some((swap) => swap.glasses)
  return { warnings: [...warnings], facts: { glasses, swaps: swaps.map((swap) => ({ ...swap })) } }
}

/** In place; transparent pixels stay so. */
export function pastePatch({ width, data }: Picture, patch: Picture, position: { x: number; y: number }): void {
  for (let y = 0; y < patch.height; y++) {
    for (let x = 0; x < patch.width; x++) {
      const from = 4 * (y * patch.width + x)
      const to = 4 * ((position.y + y) * width + position.x + x)
      if (data[to + 3] !== 255) continue
      for (let c = 0; c < 3; c++) data[to + c] = patch.data[from + c] as number
    }
  }
}
