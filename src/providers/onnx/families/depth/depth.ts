import { imageNet, stretchToUnitRange } from '#engine/image/normalization.ts'
import { resizeSmooth, shrink } from '#engine/image/plane.ts'
import type { ModelFamily } from '../../family.ts'
import { fixedSize, resampleTo, runOn, type Size, sessionOf } from '../../session.ts'
import { colourTensor, planeAt } from '../../tensor.ts'

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
