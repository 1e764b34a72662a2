import {
  backgroundDiffusion,
  paramsSchema as backgroundDiffusionParams,
} from './background-diffusion/contract/contract.ts'
import { backgroundRemoval, paramsSchema as backgroundRemovalParams } from './background-removal/contract/contract.ts'
import { cartoonizer, paramsSchema as cartoonizerParams } from './cartoonizer/contract/contract.ts'
import { colorizer, paramsSchema as colorizerParams } from './colorizer/contract/contract.ts'
import { defineTool } from './contract/define.ts'
import { enhancement, paramsSchema as enhancementParams } from './enhancement/contract/contract.ts'
import { faceCutout, paramsSchema as faceCutoutParams } from './face-cutout/contract/contract.ts'
import { headshot, paramsSchema as headshotParams } from './headshot/contract/contract.ts'
import { objectRemoval, paramsSchema as objectRemovalParams } from './object-removal/contract/contract.ts'
import { passportPhoto, paramsSchema as passportPhotoParams } from './passport-photo/contract/contract.ts'
import { photoLayout, paramsSchema as photoLayoutParams } from './photo-layout/contract/contract.ts'
import { paramsSchema as swapFaceParams, swapFaceTool } from './swap-face/contract/contract.ts'
import {
  videoBackgroundRemoval,
  paramsSchema as videoBackgroundRemovalParams,
} from './video-background-removal/contract/contract.ts'

/** Every tool's contract; adding a tool is one line here, one in engines.ts and one in pages.ts. */
export const toolContracts = {
  'background-removal': defineTool(backgroundRemoval, backgroundRemovalParams),
  'object-removal': defineTool(objectRemoval, objectRemovalParams),
  enhancement: defineTool(enhancement, enhancementParams),
  cartoonizer: defineTool(cartoonizer, cartoonizerParams),
  'background-diffusion': defineTool(backgroundDiffusion, backgroundDiffusionParams),
  'face-cutout': defineTool(faceCutout, faceCutoutParams),
  'passport-photo': defineTool(passportPhoto, passportPhotoParams),
  colorizer: defineTool(colorizer, colorizerParams),
  'photo-layout': defineTool(photoLayout, photoLayoutParams),
  'swap-face': defineTool(swapFaceTool, swapFaceParams),
  'video-background-removal': defineTool(videoBackgroundRemoval, videoBackgroundRemovalParams),
  headshot: defineTool(headshot, headshotParams),
}

export type ToolId = keyof typeof toolContracts
