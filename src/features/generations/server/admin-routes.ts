import { and, eq, sql } from 'drizzle-orm'
import { formBody, formErrors } from '#features/uploads/server/uploads.ts'
import type { CatalogueModel } from '#providers/provider.ts'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { file, route } from '#server/http/route.ts'
import { privatePicture } from '#server/http/security-headers.ts'
import { pathId } from '#server/http/validate.ts'
import type { Permission } from '#shared/roles.ts'
import {
  compareQuery,
  comparisonView,
  failuresSchema,
  modelInput,
  modelList,
  providerList,
  providerSettingsInput,
  providerSettingsList,
  providerTestQuery,
  providerTestView,
  taskList,
  taskOrderInput,
  toolSettingsInput,
  toolSettingsList,
} from '../schemas.ts'
import { listFailures } from './admin-sources.ts'
import { nextChange, rowsWithNotification } from './execution/end-generation.ts'
import { makePreview } from './previews/make-preview.ts'
import { sendOptions } from './queues.ts'
import { openRefundRequestPicture } from './refunds/refund-requests.ts'
import { generationFiles, generations, refundRequests } from './table.ts'
import { deleteFailedJobs } from './tasks/provider-jobs.ts'
import { listTasks, setTaskOrder } from './tasks/provider-order.ts'
import { listProviderSettings, listProviders, setProviderSettings } from './tasks/provider-settings.ts'
import { testProvider } from './tasks/test-provider.ts'
import { listToolSettings, requireTool, setToolSettings } from './tools.ts'

export function adminGenerationRoutes(deps: Deps) {
  const may = (permission: Permission) => requirePermission(deps, permission)
  const [shop, control] = [may('shop'), may('control')]
  return [
    route('listToolSettings', 'GET /admin/tools', shop, {
      summary: 'List tool settings and the providers for their tasks',
      output: { 200: ['The settings', toolSettingsList] },
      handler: async () => ({ items: await listToolSettings(deps) }),
    }),
    route('setToolSettings', 'PATCH /admin/tools/:tool', shop, {
      summary: "Update a tool's settings: availability, message to users and providers",
      input: { json: toolSettingsInput },
      output: { 200: ['The settings', toolSettingsList] },
      errors: ['tool.unknown'],
      handler: async (c) => {
        await setToolSettings(deps, c.var.user.id, c.req.param('tool'), c.req.valid('json'))
        return { items: await listToolSettings(deps) }
      },
    }),
    route('listProviders', 'GET /admin/providers', control, {
      summary: 'List providers with their status and latest error',
      output: { 200: ['The providers', providerList] },
      handler: async () => ({ items: await listProviders(deps) }),
    }),
    route('testProvider', 'POST /admin/providers/test', control, {
      summary: 'Test a provider with a bundled sample portrait; costs the same as a task of a generation',
      input: { query: providerTestQuery },
      output: { 200: ['The result or the error', providerTestView] },
      errors: ['request.not_found'],
      handler: (c) => testProvider(deps, c.var.user.id, c.req.valid('query'), c.req.raw.signal),
    }),
    route('listProviderSettings', 'GET /admin/provider_settings', control, {
      summary: 'List models, budgets and costs of the hosted providers',
      output: { 200: ['The settings', providerSettingsList] },
      handler: async () => ({ items: await listProviderSettings(deps) }),
    }),
    route('setProviderSettings', 'PUT /admin/provider_settings/:provider', control, {
      summary: 'Set models and budgets of a hosted provider',
      input: { json: providerSettingsInput },
      output: { 200: ['The settings', providerSettingsList] },
      errors: ['request.not_found'],
      handler: async (c) => {
        await setProviderSettings(deps, c.var.user.id, c.req.param('provider'), c.req.valid('json'))
        return { items: await listProviderSettings(deps) }
      },
    }),
    route('listTasks', 'GET /admin/tasks', control, {
      summary: 'List provider tasks and the order of their providers',
      output: { 200: ['The tasks', taskList] },
      handler: async () => ({ items: await listTasks(deps) }),
    }),
    route('setTaskOrder', 'PUT /admin/tasks/:task', control, {
      summary: 'Set the order of providers for a task',
      input: { json: taskOrderInput },
      output: { 200: ['The tasks', taskList] },
      handler: async (c) => {
        await setTaskOrder(deps, c.var.user.id, c.req.param('task'), c.req.valid('json'))
        return { items: await listTasks(deps) }
      },
    }),
    route('compareProviders', 'POST /admin/tools/:tool/compare', shop, {
      summary: 'Create a preview with the provider tasks done by one given provider',
      input: { query: compareQuery },
      body: formBody(),
      output: { 200: ['The result', comparisonView] },
      errors: [...formErrors, 'tool.unknown', 'consent.required', 'tool.disabled'],
      handler: async (c) => {
        const tool = requireTool(deps.tools, c.req.param('tool'))
        const { address, language } = c.var
        const { provider } = c.req.valid('query')
        const asked = { request: c.req.raw, tool, address, language, provider, onAccepted: async () => {} }
        const { outputs, seconds, failed = null } = await makePreview(deps, asked)
        return { outputs, seconds, failed }
      },
    }),
    route('listModels', 'GET /admin/models', control, {
      summary: 'List installable models with their licences and download progress',
      output: { 200: ['The models', modelList] },
      handler: async () => ({ items: await deps.models.list() }),
    }),
    route('installModel', 'POST /admin/models/:name', control, {
      summary: 'Install a model in the background',
      input: { json: modelInput },
      output: { 202: ['The models', modelList] },
      errors: ['request.not_found'],
      handler: async (c) => {
        const { accepted } = c.req.valid('json')
        await requestModel(deps, { adminId: c.var.user.id, name: c.req.param('name'), accepted })
        return { items: await deps.models.list() }
      },
    }),
    route('removeModel', 'DELETE /admin/models/:name', control, {
      summary: 'Remove a model',
      output: { 204: 'Deleted' },
      errors: ['request.not_found'],
      handler: (c) => removeModel(deps, { adminId: c.var.user.id, name: c.req.param('name') }),
    }),
    route('runAgain', 'POST /admin/generations/:id/run_again', may('help'), {
      summary: 'Run a failed generation again, free of charge',
      output: { 204: 'Queued' },
      errors: ['generation.not_found', 'account.not_found', 'generation.ran_again', 'generation.inputs_gone'],
      handler: (c) => runAgain(deps, { id: pathId(c, 'generation.not_found'), adminId: c.var.user.id }),
    }),
    route('serveRefundRequestPicture', 'GET /admin/claims/:id/files/:file', may('refunds'), {
      summary: 'Serve a picture of an open refund request; each view is recorded in the audit log',
      output: { 200: file('The picture', 'image/*') },
      errors: ['file.not_found'],
      handler: async (c) => {
        const [id, fileId] = [pathId(c, 'file.not_found'), pathId(c, 'file.not_found', 'file')]
        const picture = await openRefundRequestPicture(deps, { id, fileId, adminId: c.var.user.id })
        return c.body(picture.body, 200, privatePicture(picture.contentType))
      },
    }),
    route('listFailures', 'GET /admin/tools/:tool/failures', shop, {
      summary: 'List recent failed generations of a tool',
      output: { 200: ['The failed generations', failuresSchema] },
      errors: ['tool.unknown'],
      handler: (c) => listFailures(deps, c.req.param('tool'), c.var.language),
    }),
  ]
}

/**
 * Repeats a failed generation free of charge, since its credits were refunded. Refuses if its
 * inputs are deleted or it was repeated before.
 */
async function runAgain(
  { db, clock, jobs }: Pick<Deps, 'db' | 'clock' | 'jobs'>,
  { id, adminId }: { id: string; adminId: string },
): Promise<void> {
  const now = clock()
  const row = await transact(db, async (tx) => {
    const [found] = await tx.select().from(generations).where(eq(generations.id, id)).for('update')
    if (!found || found.deletedAt) throw appError('generation.not_found')
    await requireAuthorityOver(tx, adminId, found.userId)
    const inputs = tx
      .select({ one: sql`1` })
      .from(generationFiles)
      .where(and(eq(generationFiles.generationId, id), eq(generationFiles.role, 'input')))
    if (found.status !== 'failed') throw appError('generation.ran_again')
    if ((await inputs).length === 0) throw appError('generation.inputs_gone')
    const { userId, credits } = found
    // Explains the unpaid success to the reconciliation, and prevents another refund.
    const free = { generationId: id, userId, reason: 'run again', status: 'refunded' as const, refunded: credits }
    const [first] = await tx
      .insert(refundRequests)
      .values({ ...free, createdAt: now, decidedAt: now, decidedBy: adminId })
      .onConflictDoNothing()
      .returning({ id: refundRequests.generationId })
    if (!first) throw appError('generation.ran_again')
    await deleteFailedJobs(tx, { id })
    const [queued] = await tx
      .update(generations)
      .set({ status: 'queued', progress: 0, attempts: 0, errorCode: null, finishedAt: null, change: nextChange })
      .where(eq(generations.id, id))
      .returning(rowsWithNotification)
    if (!queued) throw appError('generation.not_found')
    const change = { before: { status: 'failed', error: found.errorCode }, after: { status: 'queued' } }
    await audit(tx, {
      actor: adminId,
      action: 'generation.run_again',
      subject: { kind: 'generation', id },
      ...change,
      now,
    })
    return queued
  })
  await jobs.send(row.queue, { generationId: id }, sendOptions(row))
}

type ShelfDeps = Pick<Deps, 'db' | 'clock' | 'jobs' | 'models'>

async function modelOf({ models }: ShelfDeps, name: string): Promise<CatalogueModel> {
  const model = (await models.list()).find((known) => known.name === name)
  if (!model) throw appError('request.not_found')
  return model
}

/** Licences with obligations must be accepted first. */
async function requestModel(
  deps: ShelfDeps,
  { adminId, name, accepted }: { adminId: string; name: string; accepted: boolean },
): Promise<void> {
  const { objection, licence } = await modelOf(deps, name)
  if (objection && !accepted) throw appError('form.invalid', { details: { accepted: 'form.invalid' } })
  await record(deps, adminId, name, { action: 'model.install_requested', after: { licence, accepted } })
  await deps.models.announce(name)
  await deps.jobs.send('install-model', { name }, { singletonKey: name })
}

/** Running work continues with the already opened model. */
async function removeModel(deps: ShelfDeps, { adminId, name }: { adminId: string; name: string }): Promise<void> {
  await modelOf(deps, name)
  await deps.models.remove(name)
  await record(deps, adminId, name, { action: 'model.removed' })
}

function record(
  { db, clock }: ShelfDeps,
  actor: string,
  name: string,
  what: { action: `${string}.${string}`; after?: object },
): Promise<void> {
  return transact(db, (tx) => audit(tx, { actor, ...what, subject: { kind: 'task', id: name }, now: clock() }))
}
