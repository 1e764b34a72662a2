import { toolPages } from '#tools/pages.ts'
import { customEditEntry } from './ui/custom-edit-entry.tsx'
import type { ToolEntry } from './ui/tool-entry.ts'

/** The tools, without the designers. */
export const builtTools: readonly ToolEntry[] = Object.values(toolPages).map(({ facts, icon, labels, showcase }) => ({
  id: facts.id,
  route: facts.route,
  name: facts.label,
  tagline: labels.tagline,
  icon,
  showcase,
  inputs: facts.inputs,
}))

/** Every tool of the product, and the designers. */
export const toolList: readonly ToolEntry[] = [...builtTools, customEditEntry]
