import { credits } from '#features/credits/server/credits.ts'
import type { Executor } from '#server/db/database.ts'
import { toolContracts, toolIds } from '#tools/contracts.ts'
import type { ToolView } from '../contract.ts'

/** Every tool with its price and the JSON Schema of its parameters. */
export async function listTools(executor: Executor): Promise<ToolView[]> {
  const prices = await credits.unitPrices(executor)
  return toolIds.map((id) => {
    const { route, media, paramsSchema } = toolContracts[id]
    const schema = paramsSchema.in.toJsonSchema({ fallback: ({ base }: { base: object }) => base })
    return { id, route, enabled: true, credits: prices[id], media, paramsSchema: schema as Record<string, unknown> }
  })
}
