import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { instantEdit, maxPrompt, maxSeed } from './definition.ts'

export const instantEditContract = defineTool(
  { ...instantEdit, words: 'prompt' },
  type({
    '+': 'reject',
    prompt: type(`string <= ${maxPrompt}`).default(''),
    seed: type(`1 <= number.integer <= ${maxSeed}`).default(1),
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  }),
)
