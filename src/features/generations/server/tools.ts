import { eq } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import type { Provider } from '#providers/provider.ts'
import { audit } from '#server/audit/audit.ts'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { ToolView } from '#tools/contract/schemas.ts'
import { type AnyTool, findTool, type ToolRegistry } from '#tools/contract/tool.ts'
import type { ToolSettingsInput, ToolSettingsView, toolsQuery } from '../schemas.ts'
import { toolSettings } from './table.ts'
import { availableProvidersOfTools, taskOfTap } from './tasks/provider-order.ts'
import { usableProviders } from './tasks/usable-providers.ts'

type Settings = Pick<
  typeof toolSettings.$inferSelect,
  'enabled' | 'message' | 'messageEn' | 'markRequired' | 'remoteAllowed'
>

const untouched: Settings = { enabled: true, message: '', messageEn: '', markRequired: false, remoteAllowed: true }

export async function readToolSettings(executor: Executor, tool: string): Promise<Settings> {
  const [row] = await executor.select().from(toolSettings).where(eq(toolSettings.tool, tool))
  return row ?? untouched
}

/** The error has the admins' message to users. */
export async function requireEnabled(executor: Executor, tool: string): Promise<Settings> {
  const settings = await readToolSettings(executor, tool)
  const { enabled, message, messageEn } = settings
  if (!enabled) throw appError('tool.disabled', { details: message || messageEn ? { message, messageEn } : undefined })
  return settings
}

/** Stores the requirement in the tool's own option, so that users see it there. */
export function withRequiredMark<Params extends Record<string, unknown>>(
  { mark }: Pick<AnyTool, 'mark'>,
  params: Params,
  { markRequired }: Pick<Settings, 'markRequired'>,
): Params {
  return mark && markRequired ? { ...params, [mark]: true } : params
}

export async function listToolSettings({
  db,
  tools,
  providers,
}: Pick<Deps, 'db' | 'tools' | 'providers'>): Promise<ToolSettingsView[]> {
  const rows = new Map((await db.select().from(toolSettings)).map((row) => [row.tool, row]))
  const hasRemote = providers.some(({ remote }) => remote)
  return Object.values(tools).map(({ id, tasks }) => {
    const { enabled, message, messageEn, markRequired, remoteAllowed } = rows.get(id) ?? untouched
    const allowed = hasRemote && Object.keys(tasks).length > 0 ? remoteAllowed : null
    return { tool: id, enabled, message, messageEn, markRequired, remoteAllowed: allowed }
  })
}

/** The audit log records the admin and the previous values. */
export async function setToolSettings(
  deps: Pick<Deps, 'db' | 'clock' | 'tools' | 'providers'>,
  adminId: string,
  tool: string,
  change: ToolSettingsInput,
): Promise<void> {
  requireTool(deps.tools, tool)
  const known = (await listToolSettings(deps)).find((settings) => settings.tool === tool)
  if (change.remoteAllowed !== undefined && known?.remoteAllowed === null)
    throw appError('form.invalid', { details: { remoteAllowed: 'form.invalid' } })
  const now = deps.clock()
  await transact(deps.db, async (tx) => {
    await tx.insert(toolSettings).values({ tool, updatedAt: now }).onConflictDoNothing()
    const [row] = await tx.select().from(toolSettings).where(eq(toolSettings.tool, tool)).for('update')
    const { enabled, message, messageEn, markRequired, remoteAllowed } = row ?? untouched
    const before = { enabled, message, messageEn, markRequired, remoteAllowed }
    const after = { ...before, ...change }
    await tx
      .update(toolSettings)
      .set({ ...after, updatedAt: now })
      .where(eq(toolSettings.tool, tool))
    const action = 'tool.settings_changed'
    await audit(tx, { actor: adminId, action, subject: { kind: 'tool', id: tool }, before, after, now })
  })
}

export function requireTool(tools: ToolRegistry, id: string): AnyTool {
  const tool = findTool(tools, id)
  if (!tool) throw appError('tool.unknown')
  return tool
}

export async function listTools(
  deps: Pick<Deps, 'db' | 'clock' | 'tools' | 'providers' | 'engine'>,
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
      ...tasksOf(providersByTool.get(id) ?? new Map(), usable, deps.engine),
      ...(schemas !== 'none' && { paramsSchema: paramsDocument(tool) }),
    }
  })
}

/** Each task's current providers, and the external provider of a task without another. */
function tasksOf(
  providersByTask: ReadonlyMap<string, Provider[]>,
  usable: readonly Provider[],
  engine: Deps['engine'],
) {
  const able = [...providersByTask].map(([task, list]) => [task, list.filter((one) => usable.includes(one))] as const)
  const done = able.filter(([, list]) => list.length > 0)
  const away = done.filter(([, list]) => list.every(({ remote }) => remote))
  return {
    others: [...new Set([...done.map(([task]) => task), ...(engine ? [taskOfTap] : [])])],
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
