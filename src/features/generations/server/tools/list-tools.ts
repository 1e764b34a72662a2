import { credits } from '#features/credits/server/credits.ts'
import type { Provider } from '#providers/provider.ts'
import type { Deps } from '#server/deps.ts'
import type { ToolView } from '#tools/contract/schemas.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import type { toolsQuery } from '../../schemas.ts'
import { toolSettings } from '../table.ts'
import { availableProvidersOfTools } from '../tasks/provider-order.ts'
import { usableProviders } from '../tasks/usable-providers.ts'

export async function listTools(
  deps: Pick<Deps, 'db' | 'clock' | 'tools' | 'providers'>,
  { schemas }: typeof toolsQuery.infer,
): Promise<ToolView[]> {
  const { db, tools } = deps
  const providersByTool = await availableProvidersOfTools(deps, Object.values(tools))
  const all = [...providersByTool.values()].flatMap((tasks) => [...tasks.values()].flat())
  const usable = (await usableProviders(deps, undefined, new Map([['all', all]]))).get('all') ?? []
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
      ...providerTasksOf(providersByTool.get(id) ?? new Map(), usable),
      ...(schemas !== 'none' && { paramsSchema: paramsDocument(tool) }),
    }
  })
}

/** Each task's current providers, and the external provider of a task without another. */
function providerTasksOf(providersByTask: ReadonlyMap<string, Provider[]>, usable: readonly Provider[]) {
  const able = [...providersByTask].map(([task, list]) => [task, list.filter((one) => usable.includes(one))] as const)
  const done = able.filter(([, list]) => list.length > 0)
  const away = done.filter(([, list]) => list.every(({ remote }) => remote))
  return {
    others: done.map(([task]) => task),
    remote: Object.fromEntries(away.map(([task, [first]]) => [task, first?.id ?? ''])),
  }
}

/** Generating the schemas took a third of a request that every visit makes. */
const paramsDocuments = new WeakMap<object, Record<string, unknown>>()

/** The document lacks constraints that only code can check. */
export function paramsDocument({ paramsSchema }: AnyTool): Record<string, unknown> {
  const known = paramsDocuments.get(paramsSchema)
  if (known) return known
  const document = paramsSchema.in.toJsonSchema({ dialect: null, fallback: ({ base }) => base })
  paramsDocuments.set(paramsSchema, document as Record<string, unknown>)
  return document as Record<string, unknown>
}
