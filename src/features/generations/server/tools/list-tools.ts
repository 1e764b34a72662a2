import { credits } from '#features/credits/server/credits.ts'
import type { Deps } from '#server/deps.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import type { ToolView } from '#tools/contract/views.ts'
import { toolSettings } from '../table.ts'
import { tasksOfOthers } from '../tasks/provider-order.ts'

/** Every tool with its price and the JSON Schema of its parameters. */
export async function listTools(deps: Pick<Deps, 'db' | 'tools' | 'providers'>): Promise<ToolView[]> {
  const { db, tools } = deps
  const others = await tasksOfOthers(deps, Object.values(tools))
  const prices = await credits.unitPrices(db, tools)
  const settings = new Map((await db.select().from(toolSettings)).map((row) => [row.tool, row]))
  return Object.values(tools).map((tool) => {
    const { id, route, defaultUnitPrice } = tool
    const { enabled = true, message = '', messageEn = '', markRequired = false } = settings.get(id) ?? {}
    const inputs = Object.entries(tool.inputs).map(([name, { kind, min, max }]) => [name, { kind, min, max }] as const)
    return {
      id,
      route,
      enabled,
      message: enabled || !(message || messageEn) ? null : { id: message, en: messageEn },
      credits: prices.get(id) ?? defaultUnitPrice,
      markRequired,
      inputs: Object.fromEntries(inputs),
      others: others.get(id) ?? [],
      paramsSchema: paramsDocument(tool),
    }
  })
}

/** JSON Schema of what a tool takes as `params`. What only code can check is left out. */
export function paramsDocument({ paramsSchema }: AnyTool): Record<string, unknown> {
  return paramsSchema.in.toJsonSchema({ dialect: null, fallback: ({ base }) => base }) as Record<string, unknown>
}
