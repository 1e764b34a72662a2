import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { videoBackgroundRemoval } from './definition.ts'

export const videoBackgroundRemovalContract = defineTool(
  videoBackgroundRemoval,
  type({
    '+': 'reject',
    subject: "'auto' | 'person' | 'object' = 'auto'",
    background: type({ '+': 'reject', type: "'transparent' | 'blur' | 'image'" })
      .or({ '+': 'reject', type: "'color'", color: /^#[0-9a-fA-F]{6}$/ })
      .default(() => videoBackgroundRemoval.defaults.background),
    preview: 'boolean = false',
  }),
)
