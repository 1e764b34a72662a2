import { fitWithin } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { onePicture } from '../contract/tool.ts'
import { requireInput } from './inputs.ts'
import { safetyTasks } from './safety-work.ts'
import type { ToolEngine } from './tool-engine.ts'

const inputs = { picture: onePicture } as const

const tasks = { safe: 'safety' } as const

/** Thumbnails, and the safety check of files that no tool edits. Not a public tool. */
export const smallPicture = { id: 'small-picture', inputs, tasks, side: 640 } as const

export const smallPictureEngine: ToolEngine<object, typeof inputs, null, typeof tasks> = {
  prepare: async ({ inputs: { picture } }, host) => ({ safe: await safetyTasks(picture, host) }),

  async render({ inputs: { picture } }) {
    const whole = requireInput(picture)
    const { width, height } = fitWithin(whole, smallPicture.side)
    const part = { x: 0, y: 0, width: whole.width, height: whole.height }
    const small = width === whole.width ? whole : resamplePart(whole, part, width, height)
    return { outputs: [{ picture: small, encoding: { format: 'jpeg', quality: 70 } }] }
  },
}
