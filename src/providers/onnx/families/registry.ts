import type { ModelFamily, VideoFamily } from '../family.ts'
import { colorization } from './colorization/colorization.ts'
import { contentSafety } from './content-safety/content-safety.ts'
import { depth } from './depth/depth.ts'
import { faceParsing } from './face-parsing/face-parsing.ts'
import { faceRestoration } from './face-restoration/face-restoration.ts'
import { inpainting } from './inpainting/inpainting.ts'
import { salientObjects } from './salient-object/salient-object.ts'
import { efficientSam } from './select-object/efficient-sam.ts'
import { slimSam } from './select-object/slim-sam.ts'
import { upscaling } from './upscaling/upscaling.ts'
import { frameByFrame } from './video-matting/frame-by-frame.ts'
import { robustVideoMatting } from './video-matting/robust-video-matting.ts'

// biome-ignore lint/suspicious/noExplicitAny: the family's own task has made the work
type AnyFamily = ModelFamily<any> | VideoFamily

const portraits = salientObjects.find(({ id }) => id === 'modnet') as ModelFamily<'subjectMatte'>

/** The manifest refers to families by id. */
export const families: readonly AnyFamily[] = [
  ...salientObjects,
  slimSam(),
  efficientSam,
  ...inpainting,
  ...upscaling,
  faceRestoration,
  colorization,
  faceParsing,
  robustVideoMatting,
  frameByFrame('modnet-video', portraits),
  depth,
  ...contentSafety,
]
