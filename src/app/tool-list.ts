import { customEditEntry } from '#features/custom-edits/app/entry.tsx'
import { toolPages } from '#tools/pages.ts'
import { comingTools, type ToolEntry } from './coming-tools.tsx'

/** The tools that can be used today. */
export const builtTools: readonly ToolEntry[] = Object.values(toolPages).map(({ facts, icon, words }) => ({
  id: facts.id,
  route: facts.route,
  name: facts.label,
  tagline: words.tagline,
  icon,
}))

/** Those tools, and the designers. */
export const services: readonly ToolEntry[] = [...builtTools, customEditEntry]

/** Every tool of the product: those that work, then those to come. */
export const toolList: readonly ToolEntry[] = [...services, ...comingTools]
