import { listedPages, toolPages } from '#tools/pages.ts'
import { customEditEntry } from './ui/custom-edit-entry.tsx'
import type { AnyToolPage } from './ui/page.ts'
import type { ToolEntry } from './ui/tool-entry.ts'

const entryOf = ({ definition, icon, labels, showcase }: AnyToolPage): ToolEntry => ({
  id: definition.id,
  route: definition.route,
  name: definition.label,
  tagline: labels.tagline,
  icon,
  showcase,
  inputs: definition.inputs,
})

/** Every tool of the product, and the designers, as they are offered. */
export const toolList: readonly ToolEntry[] = [...listedPages.map(entryOf), customEditEntry]

/** All that somebody may have used. */
export const usedTools: readonly ToolEntry[] = [...Object.values(toolPages).map(entryOf), customEditEntry]
