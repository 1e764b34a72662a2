import {
  imageNet,
  type Normalization,
  signedRange,
  stretchToUnitRange,
  unitRange,
} from '#engine/image/normalization.ts'
import type { Size } from '#engine/image/picture.ts'
import { resizeSmooth, shrink } from '#engine/image/plane.ts'
import { labOf, labToRgb } from '#engine/tasks/colorize/index.ts'
import type { ModelFamily } from '../family.ts'
import { colourTensor, fixedSize, floatsOf, onlyInput, planeAt, resampleTo, runOn, sessionOf } from '../session.ts'

const colourSide = 512

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
    const seen = resampleTo({ width, height, data }, fixedSize(session) ?? { width: colourSide, height: colourSide })
    const found = await runOn(session, colourTensor(seen, unitRange))
    const [a, b] = [0, 1].map((channel) => resizeSmooth(planeAt(found, channel), width, height).data)
    for (let i = 0; i < lightness.length; i++) {
      labToRgb(lightness[i] as number, a?.[i] as number, b?.[i] as number, level)
      data.set(level, 4 * i)
    }
    return { picture: { width, height, data } }
  },
}

/** Shorter side in training, and the longest side of an input. */
const shorterSide = 518
const longestSide = 2 * shorterSide
const patchSide = 14

function seenSize({ width, height }: Size): Size {
  const scale = Math.min(shorterSide / Math.min(width, height), longestSide / Math.max(width, height))
  const fitted = (side: number) => patchSide * Math.max(1, Math.round((side * scale) / patchSide))
  return { width: fitted(width), height: fitted(height) }
}

/** Depth Anything V2 (Yang et al. 2024): disparity, stretched to 0 (far) to 1 (near). */
export const depth: ModelFamily<'depth'> = {
  id: 'depth-anything',
  task: 'depth',
  files: ['model'],
  async perform({ picture }, sessions) {
    const session = sessionOf(sessions, 'model')
    const seen = resampleTo(picture, fixedSize(session) ?? seenSize(picture))
    const found = planeAt(await runOn(session, colourTensor(seen, imageNet)), 0)
    stretchToUnitRange(found.data)
    const resize = found.width > picture.width ? shrink : resizeSmooth
    return { depth: resize(found, picture.width, picture.height) }
  },
}

const faceSide = 512

/** BiSeNet (Yu et al. 2018) trained on CelebAMask-HQ: the most probable of nineteen classes. */
export const faceParsing: ModelFamily<'parseFace'> = {
  id: 'bisenet',
  task: 'parseFace',
  files: ['model'],
  async perform({ picture }, sessions) {
    const session = sessionOf(sessions, 'model')
    const seen = resampleTo(picture, fixedSize(session) ?? { width: faceSide, height: faceSide })
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

interface Classifier {
  side: number
  normalization: Normalization
  unsafe: readonly number[]
}

const kinds: Record<string, Classifier> = {
  /** Marqo: unsafe, safe. */
  'nsfw-marqo': { side: 384, normalization: signedRange, unsafe: [0] },
  /** Freepik: neutral, low, medium, high; normalized like CLIP. */
  'nsfw-freepik': {
    side: 448,
    normalization: {
      mean: [0.48145466, 0.4578275, 0.40821073],
      deviation: [0.26862954, 0.26130258, 0.27577711],
    },
    unsafe: [2, 3],
  },
}

export const contentSafety: readonly ModelFamily<'safety'>[] = Object.entries(kinds).map(([id, kind]) => ({
  id,
  task: 'safety',
  files: ['model'],
  async perform({ picture }, sessions) {
    const session = sessionOf(sessions, 'model')
    const size = fixedSize(session) ?? { width: kind.side, height: kind.side }
    const seen = colourTensor(resampleTo(picture, size), kind.normalization)
    const [name = ''] = session.outputs
    const found = (await session.run({ [onlyInput(session)]: seen }, [name]))[name]
    const logits = found && floatsOf(found)
    if (!logits || logits.length <= Math.max(...kind.unsafe) || !logits.every(Number.isFinite)) {
      throw new Error('The classifier gave no classes')
    }
    const greatest = Math.max(...logits)
    const weights = Array.from(logits, (logit) => Math.exp(logit - greatest))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    return { unsafe: kind.unsafe.reduce((sum, index) => sum + (weights[index] as number), 0) / total }
  },
}))
