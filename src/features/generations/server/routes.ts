import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { privatePicture } from '#server/http/private-picture.ts'
import { file, route } from '#server/http/route.ts'
import { pageCursor, pageSize } from '#shared/paging.ts'
import type { Permission } from '#shared/roles.ts'
import { type } from '#shared/schema.ts'
import { photoCheckView, toolList } from '#tools/contract/schemas.ts'
import { findTool } from '#tools/contract/tool.ts'
import { generationStatuses, selectMaxBytes } from '../rules.ts'
import {
  compareQuery,
  comparisonView,
  generationCreated,
  generationPage,
  generationView as generationSchema,
  modelInput,
  modelList,
  paramsInput,
  previewView,
  providerList,
  providerSettingsInput,
  providerSettingsList,
  providerTestQuery,
  providerTestView,
  refundRequestAnswer,
  refundRequestInput,
  selectInput,
  taskList,
  taskOrderInput,
  toolSettingsInput,
  toolSettingsList,
  toolsQuery,
} from '../schemas.ts'
import { checkInputs } from './checks/check-inputs.ts'
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
import { runDocuments } from './run-documents.ts'
import { acceptParams } from './runs/accept-run.ts'
import { cancelGeneration } from './runs/cancel-generation.ts'
import { createGeneration } from './runs/create-generation.ts'
import { withRender, withRun } from './runs/read-run.ts'
import { runAgain } from './runs/run-again.ts'
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
  const signedIn = account.requireUser(deps)
  const may = (permission: Permission) => account.requirePermission(deps, permission)
  const [shop, control] = [may('shop'), may('control')]
  const { body, createBody, optionsBody } = runDocuments(deps.tools)
  const limited = (rule: string, limit: number) => (c: Context<UserEnv>) => [
    { rule: `generations:${rule}`, subject: c.var.user.id, limit, seconds: 60 },
  ]

  return [
    route('createGeneration', 'POST /generations', {
      auth: signedIn,
      summary: 'Start a generation',
      body: createBody,
      idempotencyKey: 'generation and charges nothing',
      limits: limited('create', 120),
      output: {
        201: ['Charged and queued; X-Credits-Charged repeats the price', generationCreated],
        200: ['Repeated idempotency key: the same generation, nothing charged', generationCreated],
      },
      handler: async (c) => {
        const key = c.var.idempotencyKey
        const { id: userId } = c.var.user
        const { generation, balance, created } = await withRun(deps, c.req.raw, userId, (request) =>
          createGeneration(deps, { userId, key, request }),
        )
        const view = await generationView(deps, deps.db, generation, c.var)
        c.header('x-credits-charged', String(created ? generation.credits : 0))
        c.header('location', `/api/generations/${generation.id}`)
        return c.json({ ...view, balance }, created ? 201 : 200)
      },
    }),
    route('listGenerations', 'GET /generations', {
      auth: signedIn,
      summary: 'List your generations, newest first',
      input: { query: listQuery },
      output: { 200: ['One page of results', generationPage] },
      handler: async (c) => {
        const { rows, nextCursor } = await listGenerations(deps.db, c.var.user.id, c.req.valid('query'))
        return c.json({ items: await generationViews(deps, deps.db, rows, c.var), nextCursor })
      },
    }),
    route('readGeneration', 'GET /generations/:id', {
      auth: signedIn,
      summary: 'Get a generation',
      output: { 200: ['The generation', generationSchema] },
      handler: async (c) => {
        const row = await findGeneration(deps.db, c.var.user.id, c.req.param('id'))
        return c.json(await generationView(deps, deps.db, row, c.var))
      },
    }),
    route('deleteGeneration', 'DELETE /generations/:id', {
      auth: signedIn,
      summary: 'Delete a generation and its pictures; an unfinished one is refunded',
      output: { 204: 'Deleted' },
      handler: (c) => deleteGeneration(deps, { userId: c.var.user.id, id: c.req.param('id') }),
    }),
    route('cancelGeneration', 'POST /generations/:id/cancel', {
      auth: signedIn,
      summary: 'Cancel a generation and refund its credits',
      output: { 200: ['The generation, cancelled', generationSchema] },
      handler: async (c) => {
        const row = await cancelGeneration(deps, { userId: c.var.user.id, id: c.req.param('id') })
        return c.json(await generationView(deps, deps.db, row, c.var))
      },
    }),
    route('requestRefund', 'POST /generations/:id/claim', {
      auth: signedIn,
      summary: 'Request a refund for a bad result: granted immediately, or reviewed by an admin',
      input: { json: refundRequestInput },
      limits: limited('claim', 30),
      output: { 201: ['The outcome of the refund request', refundRequestAnswer] },
      handler: async (c) => {
        const { id: userId } = c.var.user
        const { reason } = c.req.valid('json')
        return c.json(await requestRefund(deps, { userId, id: c.req.param('id'), reason }), 201)
      },
    }),
    route('renderGeneration', 'POST /generations/:id/render', {
      auth: signedIn,
      summary: 'Render a result again with other render parameters, free of charge',
      body: body(['params']),
      limits: limited('render', 60),
      output: { 200: ['The generation with its new outputs', generationSchema] },
      handler: async (c) => {
        const { id: userId } = c.var.user
        const { id, tool } = await findGeneration(deps.db, userId, c.req.param('id'))
        const row = await withRender(deps, c.req.raw, { userId, tool: findTool(deps.tools, tool) }, (render) =>
          renderGeneration(deps, { userId, id }, render),
        )
        return c.json(await generationView(deps, deps.db, row, c.var))
      },
    }),
    route('listToolSettings', 'GET /admin/tools', {
      auth: shop,
      summary: 'List tool settings and the providers for their tasks',
      output: { 200: ['The settings', toolSettingsList] },
      handler: async (c) => c.json({ items: await listToolSettings(deps) }),
    }),
    route('setToolSettings', 'PATCH /admin/tools/:tool', {
      auth: shop,
      summary: "Update a tool's settings: availability, message to users and providers",
      input: { json: toolSettingsInput },
      output: { 200: ['The settings', toolSettingsList] },
      handler: async (c) => {
        await setToolSettings(deps, c.var.user.id, c.req.param('tool'), c.req.valid('json'))
        return c.json({ items: await listToolSettings(deps) })
      },
    }),
    route('listProviders', 'GET /admin/providers', {
      auth: control,
      summary: 'List providers with their status and latest error',
      output: { 200: ['The providers', providerList] },
      handler: async (c) => c.json({ items: await listProviders(deps) }),
    }),
    route('testProvider', 'POST /admin/providers/test', {
      auth: control,
      summary: 'Test a provider with a bundled sample portrait; costs the same as a task of a generation',
      input: { query: providerTestQuery },
      output: { 200: ['The result or the error', providerTestView] },
      handler: async (c) => c.json(await testProvider(deps, c.var.user.id, c.req.valid('query'), c.req.raw.signal)),
    }),
    route('listProviderSettings', 'GET /admin/provider_settings', {
      auth: control,
      summary: 'List models, budgets and costs of the hosted providers',
      output: { 200: ['The settings', providerSettingsList] },
      handler: async (c) => c.json({ items: await listProviderSettings(deps) }),
    }),
    route('setProviderSettings', 'PUT /admin/provider_settings/:provider', {
      auth: control,
      summary: 'Set models and budgets of a hosted provider',
      input: { json: providerSettingsInput },
      output: { 200: ['The settings', providerSettingsList] },
      handler: async (c) => {
        await setProviderSettings(deps, c.var.user.id, c.req.param('provider'), c.req.valid('json'))
        return c.json({ items: await listProviderSettings(deps) })
      },
    }),
    route('receiveProviderWebhook', 'POST /webhooks/providers/:provider/:reference', {
      auth: 'visitor',
      summary: 'Receive a signed webhook of a hosted provider',
      before: smallBody,
      output: { 200: 'Received' },
      handler: async (c) => {
        const { provider, reference } = c.req.param()
        const body = new Uint8Array(await c.req.arrayBuffer())
        await takeWebhook(deps, { provider, reference, headers: c.req.raw.headers, body })
        return c.json({ received: true })
      },
    }),
    route('listTasks', 'GET /admin/tasks', {
      auth: control,
      summary: 'List provider tasks and the order of their providers',
      output: { 200: ['The tasks', taskList] },
      handler: async (c) => c.json({ items: await listTasks(deps) }),
    }),
    route('setTaskOrder', 'PUT /admin/tasks/:task', {
      auth: control,
      summary: 'Set the order of providers for a task',
      input: { json: taskOrderInput },
      output: { 200: ['The tasks', taskList] },
      handler: async (c) => {
        await setTaskOrder(deps, c.var.user.id, c.req.param('task'), c.req.valid('json'))
        return c.json({ items: await listTasks(deps) })
      },
    }),
    route('compareProviders', 'POST /admin/tools/:tool/compare', {
      auth: shop,
      summary: 'Create a preview with the provider tasks done by one given provider',
      input: { query: compareQuery },
      body: { content: { 'multipart/form-data': { schema: { type: 'object' } } } },
      output: { 200: ['The result', comparisonView] },
      errors: ['tool.unknown'],
      handler: async (c) => {
        const tool = findTool(deps.tools, c.req.param('tool'))
        if (!tool) throw appError('tool.unknown')
        const { address, language } = c.var
        const { provider } = c.req.valid('query')
        const asked = { request: c.req.raw, tool, address, language, provider, onAccepted: async () => {} }
        const { outputs, seconds, failed = null } = await makePreview(deps, asked)
        return c.json({ outputs, seconds, failed })
      },
    }),
    route('listModels', 'GET /admin/models', {
      auth: control,
      summary: 'List installable models with their licences and download progress',
      output: { 200: ['The models', modelList] },
      handler: async (c) => c.json({ items: await deps.models.list() }),
    }),
    route('installModel', 'POST /admin/models/:name', {
      auth: control,
      summary: 'Install a model in the background',
      input: { json: modelInput },
      output: { 202: ['The models', modelList] },
      handler: async (c) => {
        const { accepted } = c.req.valid('json')
        await requestModel(deps, { adminId: c.var.user.id, name: c.req.param('name'), accepted })
        return c.json({ items: await deps.models.list() }, 202)
      },
    }),
    route('removeModel', 'DELETE /admin/models/:name', {
      auth: control,
      summary: 'Remove a model',
      output: { 204: 'Deleted' },
      handler: (c) => removeModel(deps, { adminId: c.var.user.id, name: c.req.param('name') }),
    }),
    route('runAgain', 'POST /admin/generations/:id/run_again', {
      auth: may('help'),
      summary: 'Run a failed generation again, free of charge',
      output: { 204: 'Queued' },
      errors: ['generation.not_found'],
      handler: (c) => runAgain(deps, { id: pathId(c, 'generation.not_found'), adminId: c.var.user.id }),
    }),
    route('serveRefundRequestPicture', 'GET /admin/claims/:id/files/:file', {
      auth: may('claims'),
      summary: 'Serve a picture of an open refund request; each view is recorded in the audit log',
      output: { 200: file('The picture', 'image/*') },
      errors: ['file.not_found'],
      handler: async (c) => {
        const [id, fileId] = [pathId(c, 'file.not_found'), pathId(c, 'file.not_found', 'file')]
        const picture = await openRefundRequestPicture(deps, { id, fileId, adminId: c.var.user.id })
        return c.body(picture.body, 200, privatePicture(picture.contentType))
      },
    }),
    // Every tool page loads this response. It has no user data, so compression leaks nothing by
    // the length.
    route('listTools', 'GET /tools', {
      auth: 'visitor',
      summary: 'List all tools with prices and parameters',
      input: { query: toolsQuery },
      before: compress(),
      output: { 200: ['The tools', toolList] },
      handler: async (c) => c.json({ items: await listTools(deps, c.req.valid('query')) }),
    }),
    route('acceptParams', 'POST /tools/:tool/params', {
      auth: 'visitor',
      summary: 'Validate options from another source, such as a link, and fill in defaults',
      input: { json: paramsInput },
      body: optionsBody,
      output: { 200: ['The options', paramsInput] },
      errors: ['tool.unknown'],
      handler: (c) => {
        const tool = findTool(deps.tools, c.req.param('tool'))
        if (!tool) throw appError('tool.unknown')
        return c.json(acceptParams(tool, c.req.valid('json')))
      },
    }),
    route('checkInputs', 'POST /tools/:tool/check', {
      auth: signedIn,
      summary: 'Check photos and price of a generation, free of charge',
      body: body([]),
      limits: limited('check', 60),
      output: { 200: ['The problems, warnings and price', photoCheckView] },
      errors: ['tool.unknown'],
      handler: async (c) => {
        const { id: userId } = c.var.user
        const tool = findTool(deps.tools, c.req.param('tool'))
        if (!tool) throw appError('tool.unknown')
        const view = await withRender(deps, c.req.raw, { userId, tool }, (given) => {
          const request = { params: given.params, inputs: given.inputs, tool, expectedCredits: undefined }
          return checkInputs(deps, { userId, request, language: c.var.language })
        })
        return c.json(view)
      },
    }),
    route('makePreview', 'POST /tools/:tool/preview', {
      auth: 'visitor',
      summary:
        'Create watermarked previews, free and without an account; limited by device, address and network; nothing is stored',
      body: { content: { 'multipart/form-data': { schema: { type: 'object' } } } },
      output: { 200: ['The results', previewView] },
      errors: ['tool.unknown'],
      handler: async (c) => {
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
      },
    }),
    route('selectObject', 'POST /select', {
      auth: signedIn,
      summary: 'Select the object at given points of a small picture, if the server has a model for it',
      input: { json: selectInput },
      maxBytes: selectMaxBytes + 10_000,
      limits: limited('select', 120),
      output: { 200: file("A greyscale PNG of the picture's size, white where the object is", 'image/png') },
      handler: async (c) => {
        const alpha = await selectObject(deps, c.req.valid('json'), c.req.raw.signal)
        return c.body(Uint8Array.from(alpha), 200, privatePicture('image/png'))
      },
    }),
    route('serveFile', 'GET /files/:id/:name', {
      auth: 'visitor',
      summary: 'Serve a stored file by its signed address; supports range requests',
      output: { 200: file('The file', 'image/*') },
      handler: (c) => serveFile(deps, c),
    }),
  ]
}
