import { desc, eq } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { type ToolId, toolContracts, toolIds } from '#tools/contracts.ts'
import { toolPrices } from './table.ts'

/** Unit price of a tool in credits: what admins set last, else the tool's own default. */
export async function unitPrice(executor: Executor, tool: ToolId): Promise<number> {
  const [row] = await executor
    .select({ unit: toolPrices.unit })
    .from(toolPrices)
    .where(eq(toolPrices.tool, tool))
    .orderBy(desc(toolPrices.id))
    .limit(1)
  return row?.unit ?? toolContracts[tool].defaultUnitPrice
}

/** Unit prices of all tools in credits. */
export async function unitPrices(executor: Executor): Promise<Record<ToolId, number>> {
  const rows = await executor
    .selectDistinctOn([toolPrices.tool], { tool: toolPrices.tool, unit: toolPrices.unit })
    .from(toolPrices)
    .orderBy(toolPrices.tool, desc(toolPrices.id))
  const set = new Map(rows.map((row) => [row.tool, row.unit]))
  return Object.fromEntries(
    toolIds.map((tool) => [tool, set.get(tool) ?? toolContracts[tool].defaultUnitPrice]),
  ) as Record<ToolId, number>
}
