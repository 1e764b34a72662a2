import { platformIds } from '#engine/platforms.ts'
import { sceneIds } from '#engine/scenes.ts'
import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { logoSchema } from '#tools/contract/logo-schema.ts'
import { backgroundDiffusion, maxPrompt, maxSeed, scaleLimits } from './definition.ts'

export const backgroundDiffusionContract = defineTool(
  backgroundDiffusion,
  type({
    '+': 'reject',
    prompt: type(`string <= ${maxPrompt}`).default(''),
    scene: type.enumerated('auto', ...sceneIds).default('auto'),
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
    logo: logoSchema,
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  }),
)
