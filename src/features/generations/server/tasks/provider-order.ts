import { desc, eq } from 'drizzle-orm'
import type { TaskName } from '#engine/task-work.ts'
import { audit } from '#features/audit/server/audit.ts'
import { local, type Provider } from '#providers/provider.ts'
import type { Executor } from '#server/db/database.ts'
import { advisoryLock, requireSeen } from '#server/db/locks.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import type { TaskOrderInput, TaskView } from '../../types.ts'
import { providerOrders } from '../table.ts'

type Order = Pick<typeof providerOrders.$inferSelect, 'task' | 'tool' | 'version' | 'providers'>

/** The newest order of each task and tool for which there ever was one. */
function readOrders(db: Executor): Promise<Order[]> {
  return db
    .selectDistinctOn([providerOrders.task, providerOrders.tool])
    .from(providerOrders)
    .orderBy(providerOrders.task, providerOrders.tool, desc(providerOrders.version))
}

/** Those who can do a task now, without the engine. */
async function ableTo(providers: readonly Provider[], task: TaskName): Promise<Provider[]> {
  const able = await Promise.all(providers.map(async (provider) => (await provider.tasks()).includes(task)))
  return providers.filter((_, i) => able[i])
}

/** Who is better than the engine comes before it, everybody else after it. */
async function usualOrder(able: readonly Provider[], task: TaskName): Promise<string[]> {
  const better = await Promise.all(able.map((provider) => provider.isBetter(task)))
  const ids = (wanted: boolean) => able.filter((_, i) => better[i] === wanted).map(({ id }) => id)
  return [...ids(true), local, ...ids(false)]
}

function orderOf(orders: readonly Order[], task: TaskName, tool: string): readonly string[] | undefined {
  const of = (name: string) => orders.find((order) => order.task === task && order.tool === name)?.providers
  return of(tool) ?? of('') ?? undefined
}

/** Who is asked, one after the other, before the engine does each of the tool's tasks itself. */
export async function providersFor(
  { db, providers }: Pick<Deps, 'db' | 'providers'>,
  { id, tasks }: Pick<AnyTool, 'id' | 'tasks'>,
): Promise<Map<string, Provider[]>> {
  const names = Object.entries(tasks)
  if (providers.length === 0 || names.length === 0) return new Map(names.map(([name]) => [name, []]))
  const orders = await readOrders(db)
  const found = names.map(async ([name, task]): Promise<[string, Provider[]]> => {
    const able = await ableTo(providers, task)
    const order = orderOf(orders, task, id) ?? (await usualOrder(able, task))
    const before = order.includes(local) ? order.slice(0, order.indexOf(local)) : order
    return [name, before.flatMap((wanted) => able.find((provider) => provider.id === wanted) ?? [])]
  })
  return new Map(await Promise.all(found))
}

/** Every task that a tool asks for, with those who can do it as they are asked. */
export async function listTasks({
  db,
  tools,
  providers,
}: Pick<Deps, 'db' | 'tools' | 'providers'>): Promise<(TaskView & { task: TaskName })[]> {
  const orders = await readOrders(db)
  const names = [...new Set(Object.values(tools).flatMap(({ tasks }) => Object.values(tasks)))]
  return Promise.all(
    names.map(async (task) => {
      const able = await ableTo(providers, task)
      const users = Object.values(tools).filter(({ tasks }) => Object.values(tasks).includes(task))
      const usual = await usualOrder(able, task)
      const viewOf = (tool: string) => {
        const kept = orders.find((order) => order.task === task && order.tool === tool)
        const order = orderOf(orders, task, tool) ?? usual
        return {
          tool: tool || null,
          own: Boolean(kept?.providers),
          version: kept?.version ?? 0,
          // Those who came later are asked last.
          providers: [...order.filter((id) => usual.includes(id)), ...usual.filter((id) => !order.includes(id))],
        }
      }
      return { task, orders: ['', ...users.map(({ id }) => id)].map(viewOf) }
    }),
  )
}

/** Sets in which order providers are asked; runs that wait already keep whom they asked. */
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
    requireSeen(version, newest?.version ?? 0)
    const next = { task: name, tool: tool ?? '', version: version + 1, providers, createdAt: now, createdBy: adminId }
    await tx.insert(providerOrders).values(next)
    const subject = { kind: 'task', id: tool ? `${name}:${tool}` : name }
    const before = { providers: newest?.providers ?? null }
    await audit(tx, { actor: adminId, action: 'task.order_changed', subject, before, after: { providers }, now })
  })
}
