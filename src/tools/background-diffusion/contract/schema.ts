import { sceneIds } from '#contract/scenes.ts'
import { type } from '#contract/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { backgroundDiffusion, maxPrompt, maxSeed } from './definition.ts'

export const backgroundDiffusionContract = defineTool(
  backgroundDiffusion,
  type({
    '+': 'reject',
    prompt: type(`string <= ${maxPrompt}`).default(''),
    scene: type.enumerated('auto', ...sceneIds).default('auto'),
    subject: "'auto' | 'person' | 'object' = 'auto'",
    variants: '1 <= number.integer <= 4 = 4',
    seed: `1 <= number.integer <= ${maxSeed} = 1` as '1 <= number.integer <= 9996 = 1',
    scale: '0.2 <= number <= 2 = 1',
    x: '-1 <= number <= 1 = 0',
    y: '-1 <= number <= 1 = 0',
    light: "'auto' | 'left' | 'right' | 'front' = 'auto'",
    shadow: 'boolean = true',
    match: '0 <= number <= 1 = 0.5',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  }),
)
