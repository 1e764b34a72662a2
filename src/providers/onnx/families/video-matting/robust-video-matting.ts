import type { Picture, Plane } from '#engine/image/picture.ts'
import type { ModelFamily, OnnxTensor } from '../../family.ts'
import { sessionOf } from '../../session.ts'
import { channelsOf, colourTensor, planeAt, unitRange } from '../../tensor.ts'

/** The longer side of what the network looks at first, which it refines in the whole frame. */
const coarseSide = 512
const memories = ['r1', 'r2', 'r3', 'r4']

/**
 * Robust Video Matting (Lin et al. 2022): what it remembers of one frame it is given with the next.
 */
export const robustVideoMatting: ModelFamily<'videoMatte'> = {
  id: 'robust-video-matting',
  task: 'videoMatte',
  files: ['model'],
  async perform({ frames }, sessions, signal) {
    const session = sessionOf(sessions, 'model')
    const alphas: Plane[] = []
    let memory: Record<string, OnnxTensor> = Object.fromEntries(memories.map((name) => [`${name}i`, nothing()]))
    for (const frame of frames) {
      signal.throwIfAborted()
      const ratio: OnnxTensor = { type: 'float32', dims: [1], data: Float32Array.of(ratioFor(frame)) }
      const seen = { src: colourTensor(frame, unitRange), ...memory, downsample_ratio: ratio }
      const results = await session.run(seen, ['pha', ...memories.map((name) => `${name}o`)])
      alphas.push(planeAt(channelsOf(results.pha, 'pha'), 0))
      memory = Object.fromEntries(memories.map((name) => [`${name}i`, results[`${name}o`] ?? nothing()]))
    }
    return { alphas }
  },
}

const nothing = (): OnnxTensor => ({ type: 'float32', dims: [1, 1, 1, 1], data: new Float32Array(1) })

const ratioFor = ({ width, height }: Picture) => Math.min(1, coarseSide / Math.max(width, height))
