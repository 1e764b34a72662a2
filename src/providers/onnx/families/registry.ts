import type { ModelFamily, VideoFamily } from '../family.ts'
import { faceRestoration } from './face-restoration.ts'
import { inpainting } from './inpainting.ts'
import { salientObjects } from './salient-object.ts'
import { efficientSam, slimSam } from './select-object.ts'
import { upscaling } from './upscaling.ts'
import { frameByFrame, robustVideoMatting } from './video-matting.ts'
import { colorization, contentSafety, depth, faceParsing } from './whole-picture.ts'

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
