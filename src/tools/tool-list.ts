import { toolPages } from '#tools/pages.ts'
import { customEditEntry } from './ui/custom-edit-entry.tsx'
import type { ToolEntry } from './ui/tool-entry.ts'

/** The tools, without the designers. */
export const builtTools: readonly ToolEntry[] = Object.values(toolPages).map(
  ({ definition, icon, labels, showcase }) => ({
    id: definition.id,
    route: definition.route,
    name: definition.label,
    tagline: labels.tagline,
    icon,
    showcase,
    inputs: definition.inputs,
  }),
)

/** Every tool of the product, and the designers. */
export const toolList: readonly ToolEntry[] = [...builtTools, customEditEntry]
