import { backgroundRemoval, paramsSchema as backgroundRemovalParams } from './background-removal/contract.ts'
import { defineTool } from './define.ts'

/** Every tool's contract; adding a tool is one line here, one in engines.ts and one in pages.ts. */
export const toolContracts = {
  'background-removal': defineTool(backgroundRemoval, backgroundRemovalParams),
}

export type ToolId = keyof typeof toolContracts
