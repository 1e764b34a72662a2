import type { Config } from '@vladmandic/human'
import { boxOverlap, clipBox, scaleBox } from '#engine/image/geometry.ts'
import type { Picture, Plane, Size } from '#engine/image/picture.ts'
import { openPersonModel, type PersonModel, scaledColours } from '#engine/models/network.ts'
import { readModel } from '#engine/models/registry.ts'
import { descriptionSide, meshIn, meshSide, viewOfBox } from '#engine/tasks/faces/faces.ts'
import { facePose } from '#engine/tasks/faces/head.ts'
import { meshBox } from '#engine/tasks/faces/mesh-geometry.ts'
import type { Box } from '#shared/media.ts'
import type { DetectedObject, Face, FaceDescription, FaceMesh, MeshPoints } from '../host.ts'
import { resizePicture } from './codecs.ts'
import { allFeaturesOff, loadDetector, type ModelOutput, startHuman } from './human.ts'

const objectConfig: Partial<Config> = {
  ...allFeaturesOff,
  object: { enabled: true, minConfidence: 0.15, maxDetected: 12, iouThreshold: 0.4 },
}
const handConfig: Partial<Config> = {
  ...allFeaturesOff,
  hand: {
    enabled: true,
    rotation: false,
    // The detector needs both models.
    landmarks: true,
    minConfidence: 0.25,
    iouThreshold: 0.2,
    maxDetected: 3,
    detector: { modelPath: 'handtrack.json' },
    skeleton: { modelPath: 'handlandmark-lite.json' },
  },
}
/** Meshes with a worse fit show no face. */
const minFit = 0.3

/** BlazeFace, then a face mesh for each face; largest first. */
export async function detectFaces(picture: Picture): Promise<Face[]> {
  const seen = await resizePicture(picture, detectorSide, detectorSide)
  const { run } = await loadDetector()
  const outputs = await run('blazeface', scaledColours(seen, 1 / 127.5, -1), detectorSide)
  const faces: Face[] = []
  for (const { box, confidence } of readFaceBoxes(outputs, picture)) {
    const { points, fit } = await meshIn(picture, viewOfBox(box), { faceMesh: fitFaceMesh })
    const placed = squareAround(points, box.width, picture)
    if (fit > minFit && placed) faces.push({ box: placed, confidence, fit, points, pose: facePose(points) })
  }
  return faces.sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height)
}

function squareAround(points: MeshPoints, side: number, picture: Picture): Box | undefined {
  const { x, y, width, height } = meshBox(points)
  return clipBox({ x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side }, picture)
}

/** MediaPipe's face mesh (Kartynnik et al. 2019) in a square of {@link meshSide}, in its pixels. */
export async function fitFaceMesh(square: Picture): Promise<FaceMesh> {
  const { run } = await loadDetector()
  const outputs = await run('facemesh', scaledColours(square, 1 / 255, 0), meshSide)
  const values = valuesOf(outputs, 468 * 3)
  const points = Array.from({ length: 468 }, (_, i) => Array.from(values.subarray(3 * i, 3 * i + 3)) as Point)
  return { points, fit: valuesOf(outputs, 1)[0] as number }
}

type Point = [number, number, number]

/** FaceRes's embedding and age of a face in a square of {@link descriptionSide}. */
export async function describeFaceSquare(square: Picture): Promise<FaceDescription> {
  const { run } = await loadDetector()
  const outputs = await run('faceres', scaledColours(square, 1, 0), descriptionSide)
  const values = valuesOf(outputs, 1024)
  const length = Math.hypot(...values) || 1
  // The expected value over the probabilities of every year of age.
  const age = valuesOf(outputs, 100).reduce((sum, probability, years) => sum + years * probability, 0)
  return { embedding: values.map((value) => value / length), age }
}

function valuesOf(outputs: readonly ModelOutput[], count: number): Float32Array {
  const output = outputs.find(({ data }) => data.length === count)
  if (!output) throw new Error('unexpected output of a face model')
  return output.data
}

function toBox([x, y, width, height]: [number, number, number, number]): Box {
  return { x, y, width, height }
}

/** HandTrack, most confident first. */
export async function detectHands(picture: Picture): Promise<DetectedObject[]> {
  const { hand } = await (await loadDetector()).detect(picture, handConfig)
  return hand
    .map(({ box, boxScore, label }) => ({ box: toBox(box), confidence: boxScore, label }))
    .sort((a, b) => b.confidence - a.confidence)
}

/** CenterNet with the 80 classes of COCO, most confident first. */
export async function detectObjects(picture: Picture): Promise<DetectedObject[]> {
  const { object } = await (await loadDetector()).detect(picture, objectConfig)
  return object
    .map(({ box, score, label }) => ({ box: toBox(box), confidence: score, label: String(label) }))
    .sort((a, b) => b.confidence - a.confidence)
}

const names = { general: 'selfie', landscape: 'selfie-landscape' } as const
type Shape = keyof typeof names

const openModels: Partial<Record<Shape, Promise<PersonModel>>> = {}

async function open(shape: Shape): Promise<PersonModel> {
  await startHuman()
  const [file] = readModel(names[shape]) as [Uint8Array]
  return openPersonModel(file)
}

/** MediaPipe selfie segmentation at the model's own size, over which the picture is stretched. */
export async function personMask(picture: Picture, shape: Shape = 'general'): Promise<Plane> {
  openModels[shape] ??= open(shape)
  const { width, height, mask } = await openModels[shape]
  return mask(await resizePicture(picture, width, height))
}

const detectorSide = 256
const grids = [
  { step: 16, boxes: 2 },
  { step: 32, boxes: 6 },
] as const
const minConfidence = 0.3
const maxFaces = 20
/** Boxes with a higher overlap show the same face. */
const maxOverlap = 0.2
/** Enlarges the box from brows to chin for the mesh model's input. */
const enlargement = 1.4

interface FaceBox {
  /** Square, in pixels of the picture. */
  box: Box
  confidence: number
}

/**
 * A score, a box and six points for each of 896 anchors (Bazarevsky et al. 2019, full-range model).
 * Of overlapping boxes, keeps the most confident.
 */
function readFaceBoxes(outputs: readonly ModelOutput[], size: Size): FaceBox[] {
  const found: FaceBox[] = []
  for (const { step, boxes } of grids) {
    const across = detectorSide / step
    const count = across * across * boxes
    const scores = valuesOf(outputs, count)
    const coordinates = valuesOf(outputs, count * 16)
    for (let anchor = 0; anchor < count; anchor++) {
      const confidence = 1 / (1 + Math.exp(-(scores[anchor] as number)))
      if (confidence <= minConfidence) continue
      const place = Math.floor(anchor / boxes)
      const [x, y, width, height] = coordinates.subarray(16 * anchor, 16 * anchor + 4) as unknown as number[] as [
        number,
        number,
        number,
        number,
      ]
      const middle = { x: x + step * ((place % across) + 0.5), y: y + step * (Math.floor(place / across) + 0.5) }
      const box = { x: middle.x - width / 2, y: middle.y - height / 2, width, height }
      found.push({ box: scaleBox(box, size.width / detectorSide, size.height / detectorSide), confidence })
    }
  }
  found.sort((a, b) => b.confidence - a.confidence)
  const kept: FaceBox[] = []
  for (const one of found) {
    if (kept.length < maxFaces && kept.every(({ box }) => boxOverlap(box, one.box) <= maxOverlap)) kept.push(one)
  }
  return kept.map(({ box, confidence }) => ({ box: enlargedSquare(box), confidence }))
}

function enlargedSquare({ x, y, width, height }: Box): Box {
  const side = enlargement * Math.max(width, height)
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side }
}
