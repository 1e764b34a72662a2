import { boxOverlap, scaleBox } from '#engine/image/geometry.ts'
import type { Size } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'
import type { ModelOutput } from './human.ts'

export const detectorSide = 256
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

export interface FaceBox {
  /** Square, in pixels of the picture. */
  box: Box
  confidence: number
}

/**
 * A score, a box and six points for each of 896 anchors (Bazarevsky et al. 2019, full-range model).
 * Of overlapping boxes, keeps the most confident.
 */
export function readFaceBoxes(outputs: readonly ModelOutput[], size: Size): FaceBox[] {
  const found: FaceBox[] = []
  for (const { step, boxes } of grids) {
    const across = detectorSide / step
    const count = across * across * boxes
    const scores = valuesOf(outputs, count, 1)
    const coordinates = valuesOf(outputs, count, 16)
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
  return kept.map(({ box, confidence }) => ({ box: squareAround(box), confidence }))
}

function valuesOf(outputs: readonly ModelOutput[], count: number, values: number): Float32Array {
  const output = outputs.find(({ shape }) => shape[0] === count && shape[1] === values)
  if (!output) throw new Error('unexpected output of the face detector')
  return output.data
}

function squareAround({ x, y, width, height }: Box): Box {
  const side = enlargement * Math.max(width, height)
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side }
}
