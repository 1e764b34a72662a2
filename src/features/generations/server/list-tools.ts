import { credits } from '#features/credits/server/credits.ts'
import type { Executor } from '#server/db/database.ts'
import { type ToolId, toolContracts, toolIds } from '#tools/contracts.ts'
import type { ToolView } from '../contract.ts'

/** Every tool with its price and the JSON Schema of its parameters. */
export async function listTools(executor: Executor): Promise<ToolView[]> {
  const prices = await credits.unitPrices(executor)
  return toolIds.map((id) => {
    const { route, media } = toolContracts[id]
    return { id, route, enabled: true, credits: prices[id], media, paramsSchema: paramsDocument(id) }
  })
}

/** JSON Schema of what a tool takes as `params`. What only code can check is left out. */
export function paramsDocument(id: ToolId): Record<string, unknown> {
  const { paramsSchema } = toolContracts[id]
  return paramsSchema.in.toJsonSchema({ dialect: null, fallback: ({ base }) => base }) as Record<string, unknown>
}
