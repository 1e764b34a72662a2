import { imageNet, type Normalization, signedRange, stretch, unitRange } from '#engine/image/normalization.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { planeOf } from '#engine/image/pixels.ts'
import { shrink } from '#engine/image/plane.ts'
import { enlargeMatte } from '#engine/tasks/subject-matte/index.ts'
import type { ModelFamily, OnnxSession } from '../../family.ts'
import { fixedSize, resampleTo, runOn, type Size, sessionOf } from '../../session.ts'
import { applySigmoid, colourTensor, limit, planeAt } from '../../tensor.ts'

/** How a network that finds the subject of a picture is asked and understood. */
interface SalientObject {
  normalization: Normalization
  /** The size it is shown, where its file leaves it open. */
  size: (picture: Picture) => Size
  /** What it gives: alpha, values that have to be stretched to 0 and 1, or logits. */
  gives: 'alpha' | 'values' | 'logits'
  /** Of several outputs: the first is the best one, or the one of this name, else the last. */
  output?: string
}

const square = (side: number) => () => ({ width: side, height: side })

/**
 * MODNet looks at the shorter side in 512 pixels, both sides in multiples of 32; pictures that lie
 * around that size stay as they are.
 */
function portraitSize({ width, height }: Picture): Size {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  const reference = longer < 512 || shorter > 512 ? 512 : shorter
  const fitted = (side: number) => Math.max(32, 32 * Math.floor(Math.trunc((side / shorter) * reference) / 32))
  return { width: fitted(width), height: fitted(height) }
}

const kinds = {
  /** U²-Net (Qin et al. 2020) and silueta; the small one is the engine's own. */
  u2net: { normalization: imageNet, size: square(320), gives: 'values' },
  /** IS-Net (Qin et al. 2022). */
  isnet: {
    normalization: { mean: [0.5, 0.5, 0.5], deviation: [1, 1, 1] },
    size: square(1024),
    gives: 'values',
  },
  /** IS-Net as IMG.LY trained and exported it: levels less 128, by 256. */
  'isnet-imgly': {
    normalization: { mean: [128 / 255, 128 / 255, 128 / 255], deviation: [256 / 255, 256 / 255, 256 / 255] },
    size: square(1024),
    gives: 'alpha',
  },
  /** IS-Net as schirrmacher trained it on people. */
  ormbg: { normalization: unitRange, size: square(1024), gives: 'alpha' },
  /** BiRefNet (Zheng et al. 2024), lite or not; a file for 512 pixels says so itself. */
  birefnet: { normalization: imageNet, size: square(1024), gives: 'logits', output: 'output_image' },
  ben2: { normalization: unitRange, size: square(1024), gives: 'values' },
  /** MODNet (Ke et al. 2022), for portraits. */
  modnet: { normalization: signedRange, size: portraitSize, gives: 'alpha' },
} satisfies Record<string, SalientObject>

export const salientObjects: readonly ModelFamily<'subjectMatte'>[] = Object.entries(kinds).map(([id, kind]) => ({
  id,
  task: 'subjectMatte',
  files: ['model'],
  perform: async ({ picture }, sessions) => {
    const session = sessionOf(sessions, 'model')
    const seen = resampleTo(picture, fixedSize(session) ?? kind.size(picture))
    return { alpha: atSizeOf(picture, await findAlpha(seen, kind, session), seen) }
  },
}))

/** Where the picture is larger than what the network saw, alpha follows its colours. */
function atSizeOf(picture: Picture, alpha: Plane, seen: Picture): Plane {
  const { width, height } = picture
  if (width <= alpha.width && height <= alpha.height) return shrink(alpha, width, height)
  return planeOf(enlargeMatte(alpha, seen, picture))
}

/** The alpha matte of what the network sees, at the same size. */
async function findAlpha(seen: Picture, kind: SalientObject, session: OnnxSession): Promise<Plane> {
  const named = kind.output && (session.outputs.find((name) => name === kind.output) ?? session.outputs.at(-1))
  const output = named ?? session.outputs[0]
  const alpha = planeAt(await runOn(session, colourTensor(seen, kind.normalization), output), 0)
  if (kind.gives === 'logits') applySigmoid(alpha.data)
  if (kind.gives === 'values') stretch(alpha.data)
  limit(alpha.data)
  return alpha
}
