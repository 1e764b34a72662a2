import { backgroundDiffusionContract } from './background-diffusion/contract/schema.ts'
import { backgroundRemovalContract } from './background-removal/contract/schema.ts'
import { cartoonizerContract } from './cartoonizer/contract/schema.ts'
import { colorizerContract } from './colorizer/contract/schema.ts'
import { enhancementContract } from './enhancement/contract/schema.ts'
import { faceCutoutContract } from './face-cutout/contract/schema.ts'
import { headshotContract } from './headshot/contract/schema.ts'
import { instantEditContract } from './instant-edit/contract/schema.ts'
import { objectRemovalContract } from './object-removal/contract/schema.ts'
import { passportPhotoContract } from './passport-photo/contract/schema.ts'
import { photoLayoutContract } from './photo-layout/contract/schema.ts'
import { swapFaceContract } from './swap-face/contract/schema.ts'
import { videoBackgroundRemovalContract } from './video-background-removal/contract/schema.ts'

/** Adding a tool is one line here, one in engines.ts and one in pages.ts. */
export const toolContracts = {
  'background-removal': backgroundRemovalContract,
  'object-removal': objectRemovalContract,
  enhancement: enhancementContract,
  cartoonizer: cartoonizerContract,
  'background-diffusion': backgroundDiffusionContract,
  'face-cutout': faceCutoutContract,
  'passport-photo': passportPhotoContract,
  colorizer: colorizerContract,
  'photo-layout': photoLayoutContract,
  'swap-face': swapFaceContract,
  'video-background-removal': videoBackgroundRemovalContract,
  headshot: headshotContract,
  'instant-edit': instantEditContract,
}

export type ToolId = keyof typeof toolContracts
