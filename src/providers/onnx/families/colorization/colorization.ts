import { unitRange } from '#engine/image/normalization.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import { labOf, labToRgb } from '#engine/tasks/colorize/index.ts'
import type { ModelFamily } from '../../family.ts'
import { fixedSize, resampleTo, runOn, sessionOf } from '../../session.ts'
import { colourTensor, planeAt } from '../../tensor.ts'

const side = 512

/** DDColor (Kang et al. 2023): a and b of CIELAB from the lightness, kept at full resolution. */
export const colorization: ModelFamily<'colorize'> = {
  id: 'ddcolor',
  task: 'colorize',
  files: ['model'],
  async perform({ picture }, sessions) {
    const session = sessionOf(sessions, 'model')
    const { width, height } = picture
    const data = picture.data.slice()
    const lightness = new Float32Array(width * height)
    const level: [number, number, number] = [0, 0, 0]
    for (let i = 0; i < lightness.length; i++) {
      const at = 4 * i
      const [light] = labOf(data[at] as number, data[at + 1] as number, data[at + 2] as number)
      lightness[i] = light
      labToRgb(light, 0, 0, level)
      data.set(level, at)
    }
    const seen = resampleTo({ width, height, data }, fixedSize(session) ?? { width: side, height: side })
    const found = await runOn(session, colourTensor(seen, unitRange))
    const [a, b] = [0, 1].map((channel) => resizeSmooth(planeAt(found, channel), width, height).data)
    for (let i = 0; i < lightness.length; i++) {
      labToRgb(lightness[i] as number, a?.[i] as number, b?.[i] as number, level)
      data.set(level, 4 * i)
    }
    return { picture: { width, height, data } }
  },
}
