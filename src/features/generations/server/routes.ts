import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { requirePermission, requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { idempotencyKey } from '#server/http/idempotency-key.ts'
import { pathId } from '#server/http/path-id.ts'
import { privatePicture } from '#server/http/private-picture.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { jsonOnly, jsonOnlyOf, valid, validJson } from '#server/http/validate.ts'
import { pageCursor, pageSize } from '#shared/paging.ts'
import type { Permission } from '#shared/roles.ts'
import { type } from '#shared/schema.ts'
import { findTool } from '#tools/contract/tool.ts'
import { generationStatuses, selectMaxBytes } from '../rules.ts'
import {
  compareQuery,
  modelInput,
  paramsInput,
  providerSettingsInput,
  providerTestQuery,
  refundRequestInput,
  selectInput,
  taskOrderInput,
  toolSettingsInput,
  toolsQuery,
} from '../schemas.ts'
import { documentsOf } from './api-documents.ts'
import { checkInputs } from './checks/check-inputs.ts'
import { acceptParams } from './execution/accept-request.ts'
import { cancelGeneration } from './execution/cancel-generation.ts'
import { createGeneration } from './execution/create-generation.ts'
import { withGenerationRequest, withRender } from './execution/read-request.ts'
import { runAgain } from './execution/run-again.ts'
import { serveFile } from './files/serve-file.ts'
import { deleteGeneration } from './history/delete-generation.ts'
import { findGeneration } from './history/find-generation.ts'
import { listGenerations } from './history/list-generations.ts'
import { generationView, generationViews } from './history/views.ts'
import { removeModel, requestModel } from './models/install-model.ts'
import { makePreview } from './previews/make-preview.ts'
import { knownDevice, limitForms, limitPreviews, setDeviceCookie } from './previews/preview-limits.ts'
import { openRefundRequestPicture } from './refunds/refund-requests.ts'
import { requestRefund } from './refunds/request-refund.ts'
import { renderGeneration } from './rerendering/render-generation.ts'
import { listProviders } from './tasks/list-providers.ts'
import { listTasks, setTaskOrder } from './tasks/provider-order.ts'
import { listProviderSettings, setProviderSettings } from './tasks/provider-settings.ts'
import { selectObject } from './tasks/select-object.ts'
import { takeWebhook } from './tasks/take-webhook.ts'
import { testProvider } from './tasks/test-provider.ts'
import { listTools } from './tools/list-tools.ts'
import { listToolSettings, setToolSettings } from './tools/tool-settings.ts'

const listQuery = type({
  'cursor?': pageCursor,
  'tool?': 'string <= 100',
  'status?': type.enumerated(...generationStatuses),
  'limit?': pageSize,
})

/** A webhook contains the provider's whole job, with pictures as addresses. */
const smallBody = bodyLimit({
  maxSize: 1_000_000,
  onError: () => {
    throw appError('upload.too_large')
  },
})

export function generationRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  const may = (permission: Permission) => requirePermission(deps, permission)
  const [shop, control] = [may('shop'), may('control')]
  const documents = documentsOf(deps.tools)
  const limited = (userId: string, rule: string, limit: number) =>
    limitRate(deps, [{ rule: `generations:${rule}`, subject: userId, limit, seconds: 60 }])

  return (
    new Hono<UserEnv>()
      .post('/generations', documents.create, signedIn, async (c) => {
        const key = idempotencyKey(c.req.header('idempotency-key'))
        const { id: userId } = c.var.user
        await limited(userId, 'create', 120)
        const { generation, balance, created } = await withGenerationRequest(deps, c.req.raw, userId, (request) =>
          createGeneration(deps, { userId, key, request }),
        )
        const view = await generationView(deps, deps.db, generation, c.var)
        c.header('x-credits-charged', String(created ? generation.credits : 0))
        c.header('location', `/api/generations/${generation.id}`)
        return c.json({ ...view, balance }, created ? 201 : 200)
      })
      .get('/generations', documents.list, signedIn, valid('query', listQuery), async (c) => {
        const { rows, nextCursor } = await listGenerations(deps.db, c.var.user.id, c.req.valid('query'))
        return c.json({ items: await generationViews(deps, deps.db, rows, c.var), nextCursor })
      })
      .get('/generations/:id', documents.read, signedIn, async (c) => {
        const row = await findGeneration(deps.db, c.var.user.id, c.req.param('id'))
        return c.json(await generationView(deps, deps.db, row, c.var))
      })
      .delete('/generations/:id', documents.remove, signedIn, async (c) => {
        await deleteGeneration(deps, { userId: c.var.user.id, id: c.req.param('id') })
        return c.body(null, 204)
      })
      .post('/generations/:id/cancel', documents.cancel, signedIn, async (c) => {
        const row = await cancelGeneration(deps, { userId: c.var.user.id, id: c.req.param('id') })
        return c.json(await generationView(deps, deps.db, row, c.var))
      })
      .post(
        '/generations/:id/claim',
        documents.requestRefund,
        signedIn,
        jsonOnly,
        validJson(refundRequestInput),
        async (c) => {
          const { id: userId } = c.var.user
          await limited(userId, 'claim', 30)
          const { reason } = c.req.valid('json')
          return c.json(await requestRefund(deps, { userId, id: c.req.param('id'), reason }), 201)
        },
      )
      .post('/generations/:id/render', documents.render, signedIn, async (c) => {
        const { id: userId } = c.var.user
        await limited(userId, 'render', 60)
        const { id, tool } = await findGeneration(deps.db, userId, c.req.param('id'))
        const row = await withRender(deps, c.req.raw, { userId, tool: findTool(deps.tools, tool) }, (render) =>
          renderGeneration(deps, { userId, id }, render),
        )
        return c.json(await generationView(deps, deps.db, row, c.var))
      })
      .get('/admin/tools', documents.listToolSettings, shop, async (c) =>
        c.json({ items: await listToolSettings(deps) }),
      )
      .patch(
        '/admin/tools/:tool',
        documents.setToolSettings,
        shop,
        jsonOnly,
        validJson(toolSettingsInput),
        async (c) => {
          await setToolSettings(deps, c.var.user.id, c.req.param('tool'), c.req.valid('json'))
          return c.json({ items: await listToolSettings(deps) })
        },
      )
      .get('/admin/providers', documents.listProviders, control, async (c) =>
        c.json({ items: await listProviders(deps) }),
      )
      .post('/admin/providers/test', documents.testProvider, control, valid('query', providerTestQuery), async (c) => {
        return c.json(await testProvider(deps, c.var.user.id, c.req.valid('query'), c.req.raw.signal))
      })
      .get('/admin/provider_settings', documents.listProviderSettings, control, async (c) =>
        c.json({ items: await listProviderSettings(deps) }),
      )
      .put(
        '/admin/provider_settings/:provider',
        documents.setProviderSettings,
        control,
        jsonOnly,
        validJson(providerSettingsInput),
        async (c) => {
          await setProviderSettings(deps, c.var.user.id, c.req.param('provider'), c.req.valid('json'))
          return c.json({ items: await listProviderSettings(deps) })
        },
      )
      .post('/webhooks/providers/:provider/:reference', documents.providerWebhook, smallBody, async (c) => {
        const { provider, reference } = c.req.param()
        const body = new Uint8Array(await c.req.arrayBuffer())
        await takeWebhook(deps, { provider, reference, headers: c.req.raw.headers, body })
        return c.json({ received: true })
      })
      .get('/admin/tasks', documents.listTasks, control, async (c) => c.json({ items: await listTasks(deps) }))
      .put('/admin/tasks/:task', documents.setTaskOrder, control, jsonOnly, validJson(taskOrderInput), async (c) => {
        await setTaskOrder(deps, c.var.user.id, c.req.param('task'), c.req.valid('json'))
        return c.json({ items: await listTasks(deps) })
      })
      .post('/admin/tools/:tool/compare', documents.compare, shop, valid('query', compareQuery), async (c) => {
        const tool = findTool(deps.tools, c.req.param('tool'))
        if (!tool) throw appError('tool.unknown')
        const { address, language } = c.var
        const { provider } = c.req.valid('query')
        const asked = { request: c.req.raw, tool, address, language, provider, onAccepted: async () => {} }
        const { outputs, seconds, failed = null } = await makePreview(deps, asked)
        return c.json({ outputs, seconds, failed })
      })
      .get('/admin/models', documents.listModels, control, async (c) => c.json({ items: await deps.models.list() }))
      .post('/admin/models/:name', documents.installModel, control, jsonOnly, validJson(modelInput), async (c) => {
        const { accepted } = c.req.valid('json')
        await requestModel(deps, { adminId: c.var.user.id, name: c.req.param('name'), accepted })
        return c.json({ items: await deps.models.list() }, 202)
      })
      .delete('/admin/models/:name', documents.removeModel, control, async (c) => {
        await removeModel(deps, { adminId: c.var.user.id, name: c.req.param('name') })
        return c.body(null, 204)
      })
      .post('/admin/generations/:id/run_again', documents.runAgain, may('help'), async (c) => {
        await runAgain(deps, { id: pathId(c, 'generation.not_found'), adminId: c.var.user.id })
        return c.body(null, 204)
      })
      .get('/admin/claims/:id/files/:file', documents.refundRequestPicture, may('refunds'), async (c) => {
        const [id, fileId] = [pathId(c, 'file.not_found'), pathId(c, 'file.not_found', 'file')]
        const picture = await openRefundRequestPicture(deps, { id, fileId, adminId: c.var.user.id })
        return c.body(picture.body, 200, privatePicture(picture.contentType))
      })
      // Every tool page loads this response. It has no user data, so compression leaks nothing by
      // the length.
      .get('/tools', documents.tools, compress(), valid('query', toolsQuery), async (c) =>
        c.json({ items: await listTools(deps, c.req.valid('query')) }),
      )
      .post('/tools/:tool/params', documents.params, jsonOnly, validJson(paramsInput), (c) => {
        const tool = findTool(deps.tools, c.req.param('tool'))
        if (!tool) throw appError('tool.unknown')
        return c.json(acceptParams(tool, c.req.valid('json')))
      })
      .post('/tools/:tool/check', documents.check, signedIn, async (c) => {
        const { id: userId } = c.var.user
        await limited(userId, 'check', 60)
        const tool = findTool(deps.tools, c.req.param('tool'))
        if (!tool) throw appError('tool.unknown')
        const view = await withRender(deps, c.req.raw, { userId, tool }, (given) => {
          const request = { params: given.params, inputs: given.inputs, tool, expectedCredits: undefined }
          return checkInputs(deps, { userId, request, language: c.var.language })
        })
        return c.json(view)
      })
      .post('/tools/:tool/preview', documents.preview, async (c) => {
        const { address, language } = c.var
        await limitForms(deps, address)
        const device = await knownDevice(c, deps.config)
        const tool = findTool(deps.tools, c.req.param('tool'))
        if (!tool) throw appError('tool.unknown')
        c.header('cache-control', 'no-store')
        const onAccepted = async () => {
          await limitPreviews(deps, { address, device })
          if (device === undefined) await setDeviceCookie(c, deps.config)
        }
        const request = { request: c.req.raw, tool, address, language, onAccepted }
        const { outputs, warnings } = await makePreview(deps, request)
        return c.json({ outputs, warnings })
      })
      .post(
        '/select',
        documents.select,
        signedIn,
        jsonOnlyOf(selectMaxBytes + 10_000),
        validJson(selectInput),
        async (c) => {
          await limited(c.var.user.id, 'select', 120)
          const alpha = await selectObject(deps, c.req.valid('json'), c.req.raw.signal)
          return c.body(Uint8Array.from(alpha), 200, privatePicture('image/png'))
        },
      )
      .get('/files/:id/:name', documents.file, (c) => serveFile(deps, c))
  )
}
