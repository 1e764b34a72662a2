import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { enhancement } from './definition.ts'

const share = '0 <= number <= 1'

export const enhancementContract = defineTool(
  enhancement,
  type({
    '+': 'reject',
    scale: '1 | 2 | 4 = 2',
    denoise: `${share} = 0.8`,
    sharpness: `${share} = 0.3`,
    faces: `${share} = 0.6`,
    light: `${share} = 0.3`,
    colour: `${share} = 0.2`,
    invent: 'boolean = false',
    metadata: 'boolean = false',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  }),
)
