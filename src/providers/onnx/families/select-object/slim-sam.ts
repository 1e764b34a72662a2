import { imageNet } from '#engine/image/normalization.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { cropPlane, fitWithin, pixelsOf } from '#engine/image/pixels.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import type { TapPoint } from '#engine/task-types.ts'
import type { ModelFamily, OnnxSession, OnnxTensor } from '../../family.ts'
import { onlyInput, resampleTo, type Size, sessionOf } from '../../session.ts'
import { channelsOf, colourTensor, planeAt } from '../../tensor.ts'
import { selectionMask } from './selection-mask.ts'

/** The picture is at the upper left of the network's square input. */
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
