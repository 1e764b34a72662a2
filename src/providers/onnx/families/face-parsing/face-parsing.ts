import { imageNet } from '#engine/image/normalization.ts'
import type { ModelFamily } from '../../family.ts'
import { fixedSize, resampleTo, runOn, sessionOf } from '../../session.ts'
import { colourTensor } from '../../tensor.ts'

const side = 512

/** BiSeNet (Yu et al. 2018) trained on CelebAMask-HQ: the most probable of nineteen classes. */
export const faceParsing: ModelFamily<'parseFace'> = {
  id: 'bisenet',
  task: 'parseFace',
  files: ['model'],
  async perform({ picture }, sessions) {
    const session = sessionOf(sessions, 'model')
    const seen = resampleTo(picture, fixedSize(session) ?? { width: side, height: side })
    const scores = await runOn(session, colourTensor(seen, imageNet))
    const { width, height } = picture
    const size = scores.width * scores.height
    const likeliest = (index: number): number => {
      let best = 0
      for (let c = 1; c < scores.count; c++) {
        if ((scores.data[c * size + index] as number) > (scores.data[best * size + index] as number)) best = c
      }
      return best
    }
    const labels = Uint8Array.from({ length: size }, (_, i) => likeliest(i))
    const data = new Uint8Array(width * height)
    for (let y = 0, i = 0; y < height; y++) {
      const row = Math.floor(((y + 0.5) * scores.height) / height) * scores.width
      for (let x = 0; x < width; x++, i++)
        data[i] = labels[row + Math.floor(((x + 0.5) * scores.width) / width)] as number
    }
    return { labels: { width, height, data } }
  },
}
