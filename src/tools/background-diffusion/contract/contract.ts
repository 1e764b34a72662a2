import { platformIds } from '#engine/platforms.ts'
import { type AddedLocation, isAddedLocation, type RetiredSceneId, retiredScenes, sceneIds } from '#engine/scenes.ts'
import { readPrompt } from '#engine/tasks/background/index.ts'
import { defineTool } from '#tools/contract/define.ts'
import { type BackgroundDiffusionParams, backgroundDiffusion, maxPrompt, maxSeed, scaleLimits } from './definition.ts'

/** Remembered options may still name them. */
const retiredIds = Object.keys(retiredScenes) as RetiredSceneId[]

/** Only part of the server's contract: the vocabulary is too large for the app's first page. */
const needs = ({ prompt, scene, locations }: BackgroundDiffusionParams) =>
  scene === 'auto' && readPrompt(prompt, locations).unfit ? ([backgroundDiffusion.tasks.backgrounds] as const) : []

const locations = ({ prompt, scene }: BackgroundDiffusionParams, offered: readonly AddedLocation[]) => [
  ...new Set([...(isAddedLocation(scene) ? [scene] : []), ...readPrompt(prompt, offered).added]),
]

export const backgroundDiffusionContract = defineTool(
  {
    ...backgroundDiffusion,
    needs,
    locations,
    words: 'prompt',
    withoutProvider: { path: 'prompt', code: 'tool.scene_unknown' },
  },
  ({ type, logo, addedLocationId, addedLocations }) =>
    type({
      '+': 'reject',
      prompt: type(`string <= ${maxPrompt}`).default(''),
      scene: type
        .enumerated('auto', ...sceneIds, ...retiredIds)
        .or(addedLocationId)
        .default('auto'),
      'locations?': addedLocations,
      subject: "'auto' | 'person' | 'object' = 'auto'",
      variants: '1 <= number.integer <= 4 = 4',
      seed: `1 <= number.integer <= ${maxSeed} = 1` as const,
      scale: `${scaleLimits.min} <= number <= ${scaleLimits.max} = 1` as const,
      x: '-1 <= number <= 1 = 0',
      y: '-1 <= number <= 1 = 0',
      light: "'auto' | 'left' | 'right' | 'front' = 'auto'",
      shadow: 'boolean = true',
      match: '0 <= number <= 1 = 0.5',
      shape: type.enumerated('own', ...platformIds).default('own'),
      logo,
      format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
    }),
)
