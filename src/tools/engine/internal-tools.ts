import { EngineError } from '#engine/error.ts'
import { solidPicture } from '#engine/image/composite.ts'
import type { Picture } from '#engine/image/picture.ts'
import { fitWithin, flatten, pastePicture } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'
import type { TapPoint } from '#engine/task-types.ts'
import { selectObject } from '#engine/tasks/subject-matte/index.ts'
import { onePicture } from '../contract/tool.ts'
import { requireInput, safetyTasks } from './inputs.ts'
import type { ToolEngine } from './tool-engine.ts'

const linkInputs = { after: onePicture, before: { ...onePicture, min: 0 } } as const

/** Open Graph picture of a shared link. Not a public tool, but made by the engine's threads. */
export const linkPicture = { id: 'link-picture', inputs: linkInputs, width: 1200, height: 630 } as const

const ground = '#ece7df'
const space = 36
const maxEnlargement = 2

/** The photograph beside its result, or the result alone, uncropped. */
export const linkPictureEngine: ToolEngine<object, typeof linkInputs> = {
  async render({ inputs: { after, before } }) {
    const { width, height } = linkPicture
    const picture = solidPicture(width, height, ground)
    const shown = [...before, requireInput(after)]
    const cell = (width - space * (shown.length + 1)) / shown.length
    shown.forEach((one, i) => {
      const fitted = fitInto(flatten(one, 255, 255, 255), cell, height - 2 * space)
      const left = space + i * (cell + space) + (cell - fitted.width) / 2
      pastePicture(picture, fitted, Math.round(left), Math.round((height - fitted.height) / 2))
    })
    return { outputs: [{ picture, encoding: { format: 'jpeg', quality: 84 } }] }
  },
}

function fitInto(picture: Picture, across: number, down: number): Picture {
  const scale = Math.min(across / picture.width, down / picture.height, maxEnlargement)
  const [width, height] = [
    Math.max(1, Math.floor(picture.width * scale)),
    Math.max(1, Math.floor(picture.height * scale)),
  ]
  return resamplePart(picture, { x: 0, y: 0, width: picture.width, height: picture.height }, width, height)
}

const smallInputs = { picture: onePicture } as const

const tasks = { safe: 'safety' } as const

/** Thumbnails, and the safety check of files that no tool edits. Not a public tool. */
export const smallPicture = { id: 'small-picture', inputs: smallInputs, tasks, side: 640 } as const

export const smallPictureEngine: ToolEngine<object, typeof smallInputs, null, typeof tasks> = {
  prepare: async ({ inputs: { picture } }, host) => ({ safe: await safetyTasks(picture, host) }),

  async render({ inputs: { picture } }) {
    const whole = requireInput(picture)
    const { width, height } = fitWithin(whole, smallPicture.side)
    const part = { x: 0, y: 0, width: whole.width, height: whole.height }
    const small = width === whole.width ? whole : resamplePart(whole, part, width, height)
    return { outputs: [{ picture: small, encoding: { format: 'jpeg', quality: 70 } }] }
  },
}

const tapInputs = { picture: onePicture } as const

/** Selection by a tap on a small picture. Not a public tool. */
export const tapSelection = { id: 'tap-selection', inputs: tapInputs } as const

/** A mask of the picture's size, white inside; throws `engine.no_subject` if nothing stands out. */
const tapSelectionEngine: ToolEngine<{ points: readonly TapPoint[] }, typeof tapInputs> = {
  async render({ params: { points }, inputs: { picture } }, _, host) {
    const whole = requireInput(picture)
    const mask = await selectObject(whole, points, host)
    if (!mask) throw new EngineError('engine.no_subject')
    const shown = solidPicture(whole.width, whole.height, '#000000')
    for (const [i, value] of mask.data.entries()) if (value === 1) shown.data.fill(255, 4 * i, 4 * i + 3)
    return { outputs: [{ picture: shown, encoding: { format: 'png' } }] }
  },
}

/** Run by the engine's threads beside the public tools. */
export const internalEngines = {
  [linkPicture.id]: linkPictureEngine,
  [smallPicture.id]: smallPictureEngine,
  [tapSelection.id]: tapSelectionEngine,
}
