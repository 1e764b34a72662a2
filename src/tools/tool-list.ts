import { listedPages, toolPages } from '#tools/pages.ts'
import { customEditEntry } from './ui/custom-edit-entry.tsx'
import type { AnyToolPage, ToolEntry } from './ui/page.ts'

const entryOf = ({ definition, icon, labels, showcase }: AnyToolPage): ToolEntry => ({
  id: definition.id,
  route: definition.route,
  name: definition.label,
  tagline: labels.tagline,
  icon,
  showcase,
  inputs: definition.inputs,
})

export const publicToolEntries: readonly ToolEntry[] = [...listedPages.map(entryOf), customEditEntry]

export const allToolEntries: readonly ToolEntry[] = [...Object.values(toolPages).map(entryOf), customEditEntry]
