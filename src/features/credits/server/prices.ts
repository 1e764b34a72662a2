import { desc, eq } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import type { AnyTool, ToolRegistry } from '#tools/contract/tool.ts'
import { toolPrices } from './table.ts'

/** The admins' last setting, else the tool's default. */
export async function unitPrice(executor: Executor, { id, defaultUnitPrice }: AnyTool): Promise<number> {
  const [row] = await executor
    .select({ unit: toolPrices.unit })
    .from(toolPrices)
    .where(eq(toolPrices.tool, id))
    .orderBy(desc(toolPrices.id))
    .limit(1)
  return row?.unit ?? defaultUnitPrice
}

export async function unitPrices(executor: Executor, tools: ToolRegistry): Promise<Map<string, number>> {
  const rows = await executor
    .selectDistinctOn([toolPrices.tool], { tool: toolPrices.tool, unit: toolPrices.unit })
    .from(toolPrices)
    .orderBy(toolPrices.tool, desc(toolPrices.id))
  const set = new Map(rows.map((row) => [row.tool, row.unit]))
  return new Map(Object.values(tools).map(({ id, defaultUnitPrice }) => [id, set.get(id) ?? defaultUnitPrice]))
}
