import { unitRange } from '#engine/image/normalization.ts'
import type { Picture } from '#engine/image/picture.ts'
import type { OnnxTensor, VideoFamily } from '../../family.ts'
import { sessionOf } from '../../session.ts'
import { channelsOf, colourTensor, planeAt } from '../../tensor.ts'

/** Longer side of the network's coarse input, refined in the whole frame. */
const coarseSide = 512
const stateInputs = ['r1', 'r2', 'r3', 'r4']

/** Robust Video Matting (Lin et al. 2022): its recurrent state passes from frame to frame. */
export const robustVideoMatting: VideoFamily = {
  id: 'robust-video-matting',
  task: 'videoMatte',
  files: ['model'],
  async *findMattes(frames, sessions) {
    const session = sessionOf(sessions, 'model')
    let memory: Record<string, OnnxTensor> = Object.fromEntries(stateInputs.map((name) => [`${name}i`, nothing()]))
    for await (const frame of frames) {
      const ratio: OnnxTensor = { type: 'float32', dims: [1], data: Float32Array.of(ratioFor(frame)) }
      const seen = { src: colourTensor(frame, unitRange), ...memory, downsample_ratio: ratio }
      const results = await session.run(seen, ['pha', ...stateInputs.map((name) => `${name}o`)])
      memory = Object.fromEntries(stateInputs.map((name) => [`${name}i`, results[`${name}o`] ?? nothing()]))
      yield planeAt(channelsOf(results.pha, 'pha'), 0)
    }
  },
}

const nothing = (): OnnxTensor => ({ type: 'float32', dims: [1, 1, 1, 1], data: new Float32Array(1) })

const ratioFor = ({ width, height }: Picture) => Math.min(1, coarseSide / Math.max(width, height))
