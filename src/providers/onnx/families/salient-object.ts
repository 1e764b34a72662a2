import {
  imageNet,
  type Normalization,
  signedRange,
  stretchToUnitRange,
  unitRange,
} from '#engine/image/normalization.ts'
import type { Picture, Plane, Size } from '#engine/image/picture.ts'
import { planeOf } from '#engine/image/pixels.ts'
import { shrink } from '#engine/image/plane.ts'
import { enlargeMatte } from '#engine/tasks/subject-matte/index.ts'
import type { ModelFamily, OnnxSession } from '../family.ts'
import {
  applySigmoid,
  clampToUnitRange,
  colourTensor,
  fixedSize,
  planeAt,
  resampleTo,
  runOn,
  sessionOf,
} from '../session.ts'

interface SalientObject {
  normalization: Normalization
  /** For files without a fixed input size. */
  size: (picture: Picture) => Size
  /** Alpha, values to be stretched to 0 and 1, or logits. */
  gives: 'alpha' | 'values' | 'logits'
  /** With several outputs: the first is best, or the named one, else the last. */
  output?: string
}

const square = (side: number) => () => ({ width: side, height: side })

/** A shorter side of about 512 pixels, multiples of 32; pictures near that size stay. */
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
  /** IS-Net as trained and exported by IMG.LY: levels minus 128, divided by 256. */
  'isnet-imgly': {
    normalization: { mean: [128 / 255, 128 / 255, 128 / 255], deviation: [256 / 255, 256 / 255, 256 / 255] },
    size: square(1024),
    gives: 'alpha',
  },
  /** IS-Net as trained on persons by schirrmacher. */
  ormbg: { normalization: unitRange, size: square(1024), gives: 'alpha' },
  /** BiRefNet (Zheng et al. 2024), lite or not; a file for 512 pixels has a fixed size. */
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
    return { alpha: refineAlpha(picture, await findAlpha(seen, kind, session), seen) }
  },
}))

/** If the picture is larger than the network's input, alpha is refined by its colours. */
function refineAlpha(picture: Picture, alpha: Plane, seen: Picture): Plane {
  const { width, height } = picture
  if (width <= alpha.width && height <= alpha.height) return shrink(alpha, width, height)
  return planeOf(enlargeMatte(alpha, seen, picture))
}

async function findAlpha(seen: Picture, kind: SalientObject, session: OnnxSession): Promise<Plane> {
  const named = kind.output && (session.outputs.find((name) => name === kind.output) ?? session.outputs.at(-1))
  const output = named ?? session.outputs[0]
  const alpha = planeAt(await runOn(session, colourTensor(seen, kind.normalization), output), 0)
  if (kind.gives === 'logits') applySigmoid(alpha.data)
  if (kind.gives === 'values') stretchToUnitRange(alpha.data)
  clampToUnitRange(alpha.data)
  return alpha
}
