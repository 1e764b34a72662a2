import { backgroundRemovalPanel } from './background-removal/panel-entry.ts'
import type { ToolId } from './contracts.ts'
import type { AnyToolPanel } from './panel.ts'

/** Every tool's page; adding a tool is one line here, one in contracts.ts and one in engines.ts. */
export const toolPanels: { [Id in ToolId]: AnyToolPanel } = {
  'background-removal': backgroundRemovalPanel,
}

/** The page of a tool by its id, or undefined when there is none. */
export function findToolPanel(id: string): AnyToolPanel | undefined {
  return Object.hasOwn(toolPanels, id) ? toolPanels[id as ToolId] : undefined
}
