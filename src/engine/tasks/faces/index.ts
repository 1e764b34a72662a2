import type { DetectedObject, EngineHost, Face } from '#engine/host.ts'
import { clipBox, growBox } from '#engine/image/geometry.ts'
import { countedQuantile } from '#engine/image/numbers.ts'
import type { Picture } from '#engine/image/picture.ts'
import { cropPicture, fitWithin, mirrorPicture } from '#engine/image/pixels.ts'
import type { Box } from '#shared/media.ts'
import { meshBox } from './mesh-geometry.ts'

const side = 320
/**
 * A near view, also mirrored, as the detector recognises one side better; a wide view with the arm;
 * brightened views of cheeks and chin, where a supporting hand has the face's colour.
 */
const views: readonly { boxOf: (face: Box) => Box; mirrored?: boolean; bright?: boolean }[] = [
  { boxOf: (face) => growBox(face, 0.6 * face.width) },
  { boxOf: (face) => growBox(face, 0.6 * face.width), mirrored: true },
  { boxOf: (face) => growBox(face, 1.6 * face.width) },
  { boxOf: aroundChin, bright: true },
  { boxOf: aroundChin, mirrored: true, bright: true },
]

/** Side as a share of the face's width, and centre as a share of its height. */
const chin = { side: 2.2, down: 0.9 } as const

function aroundChin({ x, y, width, height }: Box): Box {
  const side = chin.side * width
  return { x: x + (width - side) / 2, y: y + chin.down * height - side / 2, width: side, height: side }
}

/** Minimum share of the face's box that a hand covers, and minimum confidence of the detector. */
const minCover = 0.08
const minConfidence = 0.35
/** Maximum share of a hand inside the face: the detector mistakes noses and ears for hands. */
const maxInside = 0.85

/** True if a hand seems to cover a face; good for warnings only, as some hands are missed. */
export async function isCoveredByHand(
  picture: Picture,
  { points }: Pick<Face, 'points'>,
  host: Pick<EngineHost, 'hands' | 'resize'>,
): Promise<boolean> {
  const face = meshBox(points)
  for (const { boxOf, mirrored, bright } of views) {
    const box = clipBox(boxOf(face), picture)
    if (!box) return false
    const size = fitWithin(box, side)
    const part = await host.resize(cropPicture(picture, box), size.width, size.height)
    const left = mirrored ? box.x + box.width - face.x - face.width : face.x - box.x
    const region = { ...face, x: left, y: face.y - box.y }
    if (bright) brighten(part)
    const hands = await host.hands(mirrored ? mirrorPicture(part) : part)
    if (hands.some((hand) => covers(hand, region, size.width / box.width))) return true
  }
  return false
}

/** Target for the 98th percentile of brightness, and the maximum gain. */
const brightening = { full: 230, most: 3 } as const

function brighten({ data }: Picture): void {
  const counts = new Uint32Array(256)
  for (let i = 1; i < data.length; i += 4) counts[data[i] as number] = (counts[data[i] as number] as number) + 1
  const level = Math.max(1, countedQuantile(counts, 0.98))
  const gain = Math.min(brightening.most, Math.max(1, brightening.full / level))
  for (let i = 0; i < data.length; i++) if (i % 4 !== 3) data[i] = (data[i] as number) * gain
}

/** `scale` converts the face's pixels to the hand's. */
function covers({ box: hand, confidence }: DetectedObject, face: Box, scale: number): boolean {
  const [left, top] = [hand.x / scale, hand.y / scale]
  const [wide, high] = [hand.width / scale, hand.height / scale]
  const width = Math.min(left + wide, face.x + face.width) - Math.max(left, face.x)
  const height = Math.min(top + high, face.y + face.height) - Math.max(top, face.y)
  const shared = Math.max(0, width) * Math.max(0, height)
  return confidence >= minConfidence && shared > minCover * face.width * face.height && shared < maxInside * wide * high
}

export { appearanceLikeness } from './appearance.ts'
export { assessFace, type FaceQuality, faceWarnings, photoLight, qualityWarnings, teethHeight } from './assess-face.ts'
export { describeFace, embeddingSimilarity, findFaces, samePersonThreshold } from './faces.ts'
export {
  eyeOpenness,
  type Head,
  type HeadFrame,
  headCoordinates,
  headFrame,
  measureHead,
  mouthOpenness,
} from './head.ts'
export {
  featurePoints,
  flattenMesh,
  matteCoverageOfFace,
  meshBox,
  meshOffset,
  moveFace,
  moveMesh,
  packMeshes,
  placeMesh,
  shareOutsidePicture,
  unflattenMesh,
  unpackMeshes,
} from './mesh-geometry.ts'
export { faceRegion, facialFeatures, meshArea, outlineOf } from './regions.ts'
export { faceSurface } from './skin.ts'
export { faceMeshes, findRotatedFaces, refineFaceMesh, uprightFace, uprightFaces } from './upright-face.ts'
