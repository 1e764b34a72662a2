import type { Json } from '#shared/schema.ts'
import { backgroundDiffusionEngine } from './background-diffusion/engine/engine.ts'
import { backgroundRemovalEngine } from './background-removal/engine/engine.ts'
import { cartoonizerEngine } from './cartoonizer/engine/engine.ts'
import { colorizerEngine } from './colorizer/engine/engine.ts'
import type { ToolContract } from './contract/tool.ts'
import type { toolContracts } from './contracts.ts'
import type { ToolEngine } from './engine/tool-engine.ts'
import { enhancementEngine } from './enhancement/engine/engine.ts'
import { faceCutoutEngine } from './face-cutout/engine/engine.ts'
import { headshotEngine } from './headshot/engine/engine.ts'
import { instantEditEngine } from './instant-edit/engine/engine.ts'
import { objectRemovalEngine } from './object-removal/engine/engine.ts'
import { passportPhotoEngine } from './passport-photo/engine/engine.ts'
import { photoLayoutEngine } from './photo-layout/engine/engine.ts'
import { swapFaceEngine } from './swap-face/engine/engine.ts'
import { videoBackgroundRemovalEngine } from './video-background-removal/engine/engine.ts'

type EngineOf<Contract> =
  Contract extends ToolContract<infer Params, infer Inputs, string, infer Tasks>
    ? ToolEngine<Params, Inputs, Json, Tasks>
    : never

export type EnginesOf<Contracts> = { [Id in keyof Contracts]: EngineOf<Contracts[Id]> }

/** The type check fails for a tool without an engine. */
export const toolEngines = {
  'background-removal': backgroundRemovalEngine,
  'object-removal': objectRemovalEngine,
  enhancement: enhancementEngine,
  cartoonizer: cartoonizerEngine,
  'background-diffusion': backgroundDiffusionEngine,
  'face-cutout': faceCutoutEngine,
  'passport-photo': passportPhotoEngine,
  colorizer: colorizerEngine,
  'photo-layout': photoLayoutEngine,
  'swap-face': swapFaceEngine,
  'video-background-removal': videoBackgroundRemovalEngine,
  headshot: headshotEngine,
  'instant-edit': instantEditEngine,
} as const satisfies EnginesOf<typeof toolContracts>
