import { backgroundRemoval, paramsSchema as backgroundRemovalParams } from './background-removal/contract.ts'
import { defineTool } from './define.ts'

/** Every tool's contract; adding a tool is one line here, one in engines.ts and one in panels.ts. */
export const toolContracts = {
  'background-removal': defineTool(backgroundRemoval, backgroundRemovalParams),
} as const

export type ToolId = keyof typeof toolContracts
export const toolIds = Object.keys(toolContracts) as ToolId[]

/** The contract of a tool by its id, or undefined when there is none. */
export function findTool(id: string): (typeof toolContracts)[ToolId] | undefined {
  return Object.hasOwn(toolContracts, id) ? toolContracts[id as ToolId] : undefined
}
