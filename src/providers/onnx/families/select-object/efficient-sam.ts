import { unitRange } from '#engine/image/normalization.ts'
import type { TapPoint } from '#engine/task-types.ts'
import type { ModelFamily, OnnxSession, OnnxTensor } from '../../family.ts'
import { resampleTo, type Size, sessionOf } from '../../session.ts'
import { type Channels, channelsOf, colourTensor, planeAt } from '../../tensor.ts'
import { selectionMask } from './selection-mask.ts'

/** For pictures of any shape; EfficientSAM takes at most six points. */
const side = 1024
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
