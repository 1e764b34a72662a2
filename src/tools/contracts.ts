import { type AddedLocation, isAddedLocation } from '#engine/scenes.ts'
import { readPrompt } from '#engine/tasks/background/index.ts'
import {
  type BackgroundDiffusionParams,
  backgroundDiffusion,
  backgroundDiffusionOptions,
} from './background-diffusion/contract/definition.ts'
import { backgroundRemoval, backgroundRemovalOptions } from './background-removal/contract/definition.ts'
import { cartoonizer, cartoonizerOptions } from './cartoonizer/contract/definition.ts'
import { colorizer, colorizerOptions } from './colorizer/contract/definition.ts'
import { defineTool } from './contract/define.ts'
import { enhancement, enhancementOptions } from './enhancement/contract/definition.ts'
import { faceCutout, faceCutoutOptions } from './face-cutout/contract/definition.ts'
import { headshot, headshotOptions } from './headshot/contract/definition.ts'
import { instantEdit, instantEditOptions } from './instant-edit/contract/definition.ts'
import { objectRemoval, objectRemovalOptions } from './object-removal/contract/definition.ts'
import { passportPhoto, passportPhotoOptions } from './passport-photo/contract/definition.ts'
import { photoLayout, photoLayoutOptions } from './photo-layout/contract/definition.ts'
import { swapFaceOptions, swapFaceTool } from './swap-face/contract/definition.ts'
import {
  videoBackgroundRemoval,
  videoBackgroundRemovalOptions,
} from './video-background-removal/contract/definition.ts'

/** Not in the definition: the vocabulary of prompts is too large for the app's first page. */
const scenePrompts = {
  needs: ({ prompt, scene, locations }: BackgroundDiffusionParams) =>
    scene === 'auto' && readPrompt(prompt, locations).unfit ? ([backgroundDiffusion.tasks.backgrounds] as const) : [],
  locations: ({ prompt, scene }: BackgroundDiffusionParams, offered: readonly AddedLocation[]) => [
    ...new Set([...(isAddedLocation(scene) ? [scene] : []), ...readPrompt(prompt, offered).added]),
  ],
  words: 'prompt',
  withoutProvider: { path: 'prompt', code: 'tool.scene_unknown' },
} as const

/** Adding a tool is one line here, one in engines.ts and one in pages.ts. */
export const toolContracts = {
  'background-removal': defineTool(backgroundRemoval, backgroundRemovalOptions),
  'object-removal': defineTool(objectRemoval, objectRemovalOptions),
  enhancement: defineTool(enhancement, enhancementOptions),
  cartoonizer: defineTool(cartoonizer, cartoonizerOptions),
  'background-diffusion': defineTool({ ...backgroundDiffusion, ...scenePrompts }, backgroundDiffusionOptions),
  'face-cutout': defineTool(faceCutout, faceCutoutOptions),
  'passport-photo': defineTool(passportPhoto, passportPhotoOptions),
  colorizer: defineTool(colorizer, colorizerOptions),
  'photo-layout': defineTool(photoLayout, photoLayoutOptions),
  'swap-face': defineTool(swapFaceTool, swapFaceOptions),
  'video-background-removal': defineTool(videoBackgroundRemoval, videoBackgroundRemovalOptions),
  headshot: defineTool(headshot, headshotOptions),
  'instant-edit': defineTool(instantEdit, instantEditOptions),
}

export type ToolId = keyof typeof toolContracts
