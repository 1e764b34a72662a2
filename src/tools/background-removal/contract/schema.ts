import { platformIds } from '#engine/platforms.ts'
import { imageLimits } from '#shared/media.ts'
import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { logoSchema } from '#tools/contract/logo-schema.ts'
import { strokesSchema } from '#tools/contract/stroke-schema.ts'
import { backgroundRemoval, maxMargin, maxMarginPixels, maxPeople } from './definition.ts'

const pixel = 'number.integer >= 0'
const side = 'number.integer >= 8'
const boxSchema = type({ '+': 'reject', x: pixel, y: pixel, width: side, height: side })

const sideMargin = type({ '+': 'reject', pixels: `0 <= number <= ${maxMarginPixels}` as const }).or({
  '+': 'reject',
  share: `0 <= number <= ${maxMargin}` as const,
})

export const backgroundRemovalContract = defineTool(
  backgroundRemoval,
  type({
    '+': 'reject',
    subject: "'auto' | 'person' | 'object' = 'auto'",
    'box?': boxSchema,
    'people?': boxSchema.array().atLeastLength(1).atMostLength(maxPeople),
    background: type({ '+': 'reject', type: "'transparent' | 'blur' | 'lens' | 'image'" })
      .or({ '+': 'reject', type: "'color'", color: /^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$/ })
      .default(() => ({ type: 'transparent' as const })),
    format: "'png' | 'webp' | 'jpeg' = 'png'",
    crop: 'boolean = false',
    margin: `0 <= number <= ${maxMargin} = 0.05` as const,
    'margins?': { '+': 'reject', top: sideMargin, right: sideMargin, bottom: sideMargin, left: sideMargin },
    shape: type.enumerated('own', '1:1', '4:5', ...platformIds).default('own'),
    shadow: 'boolean = false',
    'shadowOpacity?': '0 <= number <= 1',
    strokes: strokesSchema,
    softness: '0 <= number <= 1 = 0',
    logo: logoSchema,
    'maxPixels?': `1000 <= number.integer <= ${imageLimits.pixels}`,
    'channels?': "'alpha' | 'separate'",
    'position?': { '+': 'reject', 'scale?': '0.1 <= number <= 1', x: '0 <= number <= 1', y: '0 <= number <= 1' },
  }),
)
