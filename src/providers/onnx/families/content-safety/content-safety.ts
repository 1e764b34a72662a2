import { type Normalization, signedRange } from '#engine/image/normalization.ts'
import type { ModelFamily } from '../../family.ts'
import { fixedSize, onlyInput, resampleTo, sessionOf } from '../../session.ts'
import { colourTensor, floatsOf } from '../../tensor.ts'

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
