import type { MessageDescriptor } from '@lingui/core'
import type { AnyToolPage, ToolMark } from '#tools/ui/page.ts'
import type { InputSpecs } from '../contract/tool.ts'

export interface ToolEntry {
  id: string
  route: string
  name: MessageDescriptor
  tagline: MessageDescriptor
  icon: ToolMark
  showcase?: AnyToolPage['showcase']
  inputs?: InputSpecs
}
