import { desc, eq, max } from 'drizzle-orm'
import { audit } from '#server/audit/audit.ts'
import type { Executor } from '#server/db/database.ts'
import { advisoryLock, requireVersion, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { type AnyTool, findTool, type ToolRegistry } from '#tools/contract/tool.ts'
import type { ToolPriceView, toolPriceInput } from '../schemas.ts'
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

const kept = 50

/** Earlier charges keep their price. */
export async function setToolPrice(
  { db, clock, tools }: Pick<Deps, 'db' | 'clock' | 'tools'>,
  adminId: string,
  tool: string,
  { unit, version }: typeof toolPriceInput.infer,
): Promise<void> {
  const found = findTool(tools, tool)
  if (!found) throw appError('tool.unknown')
  const now = clock()
  await transact(db, async (tx) => {
    await advisoryLock(tx, `tool_price:${tool}`)
    const [newest] = await tx
      .select({ id: max(toolPrices.id) })
      .from(toolPrices)
      .where(eq(toolPrices.tool, tool))
    requireVersion(version, newest?.id ?? 0)
    const before = { unit: await unitPrice(tx, found) }
    await tx.insert(toolPrices).values({ tool, unit, createdAt: now, createdBy: adminId })
    const subject = { kind: 'tool', id: tool }
    await audit(tx, { actor: adminId, action: 'tool.price_changed', subject, before, after: { unit }, now })
  })
}

export async function listToolPrices({ db, tools }: Pick<Deps, 'db' | 'tools'>): Promise<ToolPriceView[]> {
  const now = await unitPrices(db, tools)
  const changes = await db.select().from(toolPrices).orderBy(desc(toolPrices.id))
  return Object.values(tools).map(({ id: tool, defaultUnitPrice }) => ({
    tool,
    unit: now.get(tool) ?? defaultUnitPrice,
    defaultUnit: defaultUnitPrice,
    version: changes.find((change) => change.tool === tool)?.id ?? 0,
    history: changes
      .filter((change) => change.tool === tool)
      .slice(0, kept)
      .map(({ unit, createdAt, createdBy }) => ({ unit, at: createdAt.toISOString(), by: createdBy })),
  }))
}
