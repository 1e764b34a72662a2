import { desc, eq } from 'drizzle-orm'
import type { TaskName } from '#engine/task-types.ts'
import { engineProviderId, type Provider } from '#providers/provider.ts'
import { audit } from '#server/audit/audit.ts'
import type { Executor } from '#server/db/database.ts'
import { advisoryLock, requireVersion, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import type { TaskOrderInput, TaskView } from '../../schemas.ts'
import { providerOrders, toolSettings } from '../table.ts'

type Order = Pick<typeof providerOrders.$inferSelect, 'task' | 'tool' | 'version' | 'providers'>

function readOrders(db: Executor): Promise<Order[]> {
  return db
    .selectDistinctOn([providerOrders.task, providerOrders.tool])
    .from(providerOrders)
    .orderBy(providerOrders.task, providerOrders.tool, desc(providerOrders.version))
}

async function confinedTools(db: Executor): Promise<Set<string>> {
  const rows = await db
    .select({ tool: toolSettings.tool })
    .from(toolSettings)
    .where(eq(toolSettings.remoteAllowed, false))
  return new Set(rows.map(({ tool }) => tool))
}

type OrderDeps = Pick<Deps, 'db' | 'providers'>

interface ProviderKnowledge {
  orders: readonly Order[]
  /** Tools whose pictures stay on the operator's machines. */
  confined: ReadonlySet<string>
  able: readonly { provider: Provider; tasks: readonly { task: TaskName; better: boolean }[] }[]
}

async function readWithOrders(db: Executor, able: ProviderKnowledge['able']): Promise<ProviderKnowledge> {
  const [orders, confined] = await Promise.all([readOrders(db), confinedTools(db)])
  return { orders, confined, able }
}

/** Without any capable provider, the orders are not read. */
async function readCapableProviders(deps: OrderDeps): Promise<ProviderKnowledge> {
  const able = await capableProviders(deps.providers)
  return able.length > 0 ? await readWithOrders(deps.db, able) : { orders: [], confined: new Set(), able }
}

async function capableProviders(providers: OrderDeps['providers']): Promise<ProviderKnowledge['able']> {
  const asked = providers.map(async (provider) => {
    const tasks = (await provider.tasks()).map(async (task) => ({ task, better: await provider.isBetter(task) }))
    return { provider, tasks: await Promise.all(tasks) }
  })
  return (await Promise.all(asked)).filter(({ tasks }) => tasks.length > 0)
}

/** Providers better than the engine come before it, all others after it. */
function defaultOrder({ able }: ProviderKnowledge, task: TaskName): string[] {
  const ids = (wanted: boolean) =>
    able
      .filter(({ tasks }) => tasks.some((own) => own.task === task && own.better === wanted))
      .map(({ provider }) => provider.id)
  return [...ids(true), engineProviderId, ...ids(false)]
}

function orderOf({ orders }: ProviderKnowledge, task: TaskName, tool: string): readonly string[] | undefined {
  const of = (name: string) => orders.find((order) => order.task === task && order.tool === name)?.providers
  return of(tool) ?? of('') ?? undefined
}

function providersOf(known: ProviderKnowledge, task: TaskName, tool: string): Provider[] {
  const order = orderOf(known, task, tool) ?? defaultOrder(known, task)
  const before = order.includes(engineProviderId) ? order.slice(0, order.indexOf(engineProviderId)) : order
  const may = ({ remote }: Provider) => !(remote && known.confined.has(tool))
  const able = known.able.filter(({ provider, tasks }) => may(provider) && tasks.some((own) => own.task === task))
  return before.flatMap((wanted) => able.find(({ provider }) => provider.id === wanted)?.provider ?? [])
}

/** Lists the providers before the engine, in order. */
export async function providersFor(
  deps: OrderDeps,
  { id, tasks }: Pick<AnyTool, 'id' | 'tasks'>,
): Promise<Map<string, Provider[]>> {
  const names = Object.entries(tasks)
  if (names.length === 0) return new Map()
  const known = await readCapableProviders(deps)
  return new Map(names.map(([name, task]) => [name, providersOf(known, task, id)]))
}

/** Screens request this task outside of generations; the engine does it, too. */
export const taskOfTap: TaskName = 'selectObject'

/** Includes the selection by a tap, which belongs to no tool. */
export async function availableProvidersOfTools(
  deps: OrderDeps,
  tools: readonly AnyTool[],
): Promise<Map<string, Map<TaskName, Provider[]>>> {
  const known = await readCapableProviders(deps)
  return new Map(
    tools.map(({ id, tasks }) => {
      const names = [...new Set([...Object.values(tasks), taskOfTap])]
      return [id, new Map(names.map((task) => [task, providersOf(known, task, task === taskOfTap ? '' : id)]))]
    }),
  )
}

export async function listTasks(
  deps: Pick<Deps, 'db' | 'tools' | 'providers'>,
): Promise<(TaskView & { task: TaskName })[]> {
  const known = await readWithOrders(deps.db, await capableProviders(deps.providers))
  const tools = Object.values(deps.tools)
  const names = [...new Set([...tools.flatMap(({ tasks }) => Object.values(tasks)), taskOfTap])]
  return names.map((task) => {
    const users = tools.filter(({ tasks }) => Object.values(tasks).includes(task))
    const defaults = defaultOrder(known, task)
    const viewOf = (tool: string) => {
      const kept = known.orders.find((order) => order.task === task && order.tool === tool)
      const order = orderOf(known, task, tool) ?? defaults
      return {
        tool: tool || null,
        own: Boolean(kept?.providers),
        version: kept?.version ?? 0,
        // Providers added after the order was set come last.
        providers: [...order.filter((id) => defaults.includes(id)), ...defaults.filter((id) => !order.includes(id))],
      }
    }
    return { task, orders: ['', ...users.map(({ id }) => id)].map(viewOf) }
  })
}

/** Waiting generations keep the providers of their jobs. */
export async function setTaskOrder(
  deps: Pick<Deps, 'db' | 'clock' | 'tools' | 'providers'>,
  adminId: string,
  task: string,
  { tool, providers, version }: TaskOrderInput,
): Promise<void> {
  const known = (await listTasks(deps)).find((view) => view.task === task)
  const current = known?.orders.find((order) => order.tool === tool)
  if (!known || !current) throw appError('form.invalid', { details: { task: 'form.invalid' } })
  const strange = providers?.some((id) => !current.providers.includes(id))
  if (strange || new Set(providers).size !== (providers ?? []).length) {
    throw appError('form.invalid', { details: { providers: 'form.invalid' } })
  }
  const now = deps.clock()
  const name = known.task
  await transact(deps.db, async (tx) => {
    await advisoryLock(tx, `provider_order:${name}:${tool ?? ''}`)
    const [newest] = await tx
      .select()
      .from(providerOrders)
      .where(eq(providerOrders.task, name))
      .then((rows) => rows.filter((row) => row.tool === (tool ?? '')).toSorted((a, b) => b.version - a.version))
    requireVersion(version, newest?.version ?? 0)
    const next = { task: name, tool: tool ?? '', version: version + 1, providers, createdAt: now, createdBy: adminId }
    await tx.insert(providerOrders).values(next)
    const subject = { kind: 'task', id: tool ? `${name}:${tool}` : name }
    const before = { providers: newest?.providers ?? null }
    await audit(tx, { actor: adminId, action: 'task.order_changed', subject, before, after: { providers }, now })
  })
}
