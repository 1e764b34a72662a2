import { imageNet, unitRange } from '#engine/image/normalization.ts'
import type { Picture, Plane, Size } from '#engine/image/picture.ts'
import { cropPlane, fitWithin, pixelsOf } from '#engine/image/pixels.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import type { TapPoint } from '#engine/task-types.ts'
import type { ModelFamily, OnnxSession, OnnxTensor } from '../family.ts'
import { type Channels, channelsOf, colourTensor, onlyInput, planeAt, resampleTo, sessionOf } from '../session.ts'

/** 1 where logits are positive, else 0, at the picture's size. */
function selectionMask(logits: Plane, { width, height }: Size): Plane {
  const large = resizeSmooth(logits, width, height)
  return { width, height, data: large.data.map((value) => (value > 0 ? 1 : 0)) }
}

/** Of the networks' square input; SlimSAM has the picture at its upper left. */
const side = 1024

interface Embedding {
  seen: Picture
  tensors: Record<string, OnnxTensor>
}

/** Taps follow each other, and the encoder is slow. */
const keptPictures = 4

/** SlimSAM (Chen et al. 2023) and other SAM networks of two parts, the encoder and the decoder. */
export function slimSam(): ModelFamily<'selectObject'> {
  /** Newest last. */
  const kept = new WeakMap<OnnxSession, Embedding[]>()

  async function embed(seen: Picture, encoder: OnnxSession): Promise<Embedding> {
    const known = kept.get(encoder) ?? []
    let found = known.find((embedding) => samePicture(embedding.seen, seen))
    if (!found) {
      const shown = colourTensor(seen, imageNet, { width: side, height: side })
      found = { seen, tensors: await encoder.run({ [onlyInput(encoder)]: shown }) }
    }
    kept.set(encoder, [...known.filter((embedding) => embedding !== found), found].slice(-keptPictures))
    return found
  }

  return {
    id: 'slim-sam',
    task: 'selectObject',
    files: ['encoder', 'decoder'],
    async perform({ picture, points }, sessions) {
      const size = scaledSize(picture)
      const seen = resampleTo(picture, size)
      const { tensors } = await embed(seen, sessionOf(sessions, 'encoder'))
      const found = await sessionOf(sessions, 'decoder').run({ ...tensors, ...prompt(points, picture, size) })
      return { alpha: selectionMask(bestMask(found, size), picture) }
    },
  }
}

/** The longer side equals the network's, for small pictures too. */
function scaledSize(picture: Picture): Size {
  const scale = side / Math.max(picture.width, picture.height)
  return fitWithin({ width: picture.width * scale, height: picture.height * scale }, side)
}

function prompt(points: readonly TapPoint[], picture: Size, seen: Size): Record<string, OnnxTensor> {
  const coordinates = points.flatMap(({ x, y }) => [
    (x * seen.width) / picture.width,
    (y * seen.height) / picture.height,
  ])
  return {
    input_points: { type: 'float32', dims: [1, 1, points.length, 2], data: Float32Array.from(coordinates) },
    input_labels: {
      type: 'int64',
      dims: [1, 1, points.length],
      data: BigInt64Array.from(points, ({ keep }) => (keep ? 1n : 0n)),
    },
  }
}

/** Logits of the mask with the best score, at the size of the input. */
function bestMask({ pred_masks: masks, iou_scores: scores }: Record<string, OnnxTensor>, seen: Size): Plane {
  const logits = channelsOf(masks, 'pred_masks')
  const trust = scores?.data
  if (!(trust instanceof Float32Array) || trust.length !== logits.count) throw new Error('No scores for the masks')
  const best = trust.indexOf(Math.max(...trust))
  return cropPlane(resizeSmooth(planeAt(logits, best), side, side), 0, 0, seen.width, seen.height)
}

function samePicture(a: Picture, b: Picture): boolean {
  const [one, other] = [pixelsOf(a.data), pixelsOf(b.data)]
  return a.width === b.width && one.length === other.length && one.every((pixel, i) => pixel === other[i])
}

/** EfficientSAM takes at most six points. */
const maxPoints = 6

/**
 * EfficientSAM (Xiong et al. 2024) as exported by OpenCV. It accepts only positive points, so masks
 * that contain a negative point are dropped.
 */
export const efficientSam: ModelFamily<'selectObject'> = {
  id: 'efficient-sam',
  task: 'selectObject',
  files: ['model'],
  async perform({ picture, points }, sessions) {
    const session = sessionOf(sessions, 'model')
    const meant = points.filter(({ keep }) => keep).slice(-maxPoints)
    const results = await session.run({
      batched_images: colourTensor(resampleTo(picture, { width: side, height: side }), unitRange),
      batched_point_coords: coordinatesOf(meant, picture),
      batched_point_labels: labelsOf(meant.length, session),
    })
    const masks = channelsOf(results.output_masks, 'output_masks')
    const trust = results.iou_predictions?.data
    if (!(trust instanceof Float32Array)) throw new Error('No scores for the masks')
    const order = Array.from({ length: masks.count }, (_, i) => i).sort(
      (a, b) => (trust[b] as number) - (trust[a] as number),
    )
    const others = points.filter(({ keep }) => !keep)
    const best = order.find((index) => !others.some((point) => valueAt(masks, index, point, picture) >= 0)) ?? order[0]
    return { alpha: selectionMask(planeAt(masks, best as number), picture) }
  },
}

function coordinatesOf(points: readonly TapPoint[], { width, height }: Size): OnnxTensor {
  const data = new Float32Array(2 * maxPoints)
  for (const [i, { x, y }] of points.entries()) data.set([(x * side) / width, (y * side) / height], 2 * i)
  return { type: 'float32', dims: [1, 1, maxPoints, 2], data }
}

/** 1 for each point and −1 for the rest, in the file's type and shape. */
function labelsOf(count: number, { inputs }: OnnxSession): OnnxTensor {
  const input = inputs.find(({ name }) => name === 'batched_point_labels')
  const labels = Array.from({ length: maxPoints }, (_, i) => (i < count ? 1 : -1))
  const dims = [1, 1, maxPoints, ...(input?.shape.length === 4 ? [1] : [])]
  return input?.type === 'int64'
    ? { type: 'int64', dims, data: BigInt64Array.from(labels, BigInt) }
    : { type: 'float32', dims, data: Float32Array.from(labels) }
}

function valueAt({ width, height, data }: Channels, mask: number, { x, y }: TapPoint, picture: Size): number {
  const column = Math.min(width - 1, Math.floor((x * width) / picture.width))
  const row = Math.min(height - 1, Math.floor((y * height) / picture.height))
  return data[(mask * height + row) * width + column] as number
}
