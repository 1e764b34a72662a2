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

export const toolList: readonly ToolEntry[] = [...listedPages.map(entryOf), customEditEntry]

/** Every tool that a user may have used. */
export const usedTools: readonly ToolEntry[] = [...Object.values(toolPages).map(entryOf), customEditEntry]
