import type { Context } from 'hono'
import { compress } from 'hono/compress'
import { engineVersion } from '#engine/version.ts'
import { formBody, formErrors } from '#features/uploads/server/uploads.ts'
import { ageErrors } from '#server/auth/age.ts'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { file, reply, route } from '#server/http/route.ts'
import { privatePicture } from '#server/http/security-headers.ts'
import { photoCheckView, toolList } from '#tools/contract/schemas.ts'
import { findTool } from '#tools/contract/tool.ts'
import { selectMaxBytes } from '../rules.ts'
import {
  generationCreated,
  generationPage,
  generationView as generationSchema,
  listGenerationsInput,
  paramsInput,
  previewView,
  refundRequestAnswer,
  refundRequestInput,
  selectInput,
  toolsQuery,
} from '../schemas.ts'
import { adminGenerationRoutes } from './admin-routes.ts'
import { checkInputs } from './checks/free-pixels.ts'
import { acceptParams } from './execution/accept-request.ts'
import { awaitEnd, preferredWait } from './execution/await-job.ts'
import { createGeneration } from './execution/create-generation.ts'
import { generationDocuments, withGenerationRequest, withRender } from './execution/read-request.ts'
import { serveFile } from './files/send-file.ts'
import { cancelGeneration, deleteGeneration, findGeneration, listGenerations } from './history/own-generations.ts'
import { generationView, generationViews } from './history/views.ts'
import { makePreview } from './previews/make-preview.ts'
import { knownDevice, limitForms, limitPreviews, setDeviceCookie } from './previews/preview-limits.ts'
import { requestRefund } from './refunds/request-refund.ts'
import { renderGeneration } from './rerendering/render-generation.ts'
import { takeWebhook, webhookLimit } from './tasks/provider-jobs.ts'
import { selectObject } from './tasks/run-task-now.ts'
import { listTools, requireTool } from './tools.ts'

function requireEngineVersion(wanted: string | undefined): void {
  if (wanted !== undefined && wanted.trim() !== engineVersion)
    throw appError('engine.version_unavailable', { details: { version: engineVersion } })
}

const requesterOf = ({ var: { user, apiKey } }: Context<UserEnv>) => ({ userId: user.id, apiKey })

export function generationRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  const { body, createBody, optionsBody } = generationDocuments(deps.tools)
  const limited = (rule: string, limit: number) => (c: Context<UserEnv>) => [
    { rule: `generations:${rule}`, subject: c.var.user.id, limit, seconds: 60 },
  ]

  return [
    route('createGeneration', 'POST /generations', signedIn, {
      summary: 'Start a generation',
      body: createBody,
      idempotencyKey: 'generation and charges nothing',
      limits: limited('create', 120),
      output: {
        201: ['Charged and queued; X-Credits-Charged repeats the price', generationCreated],
        200: ['Repeated idempotency key: the same generation, nothing charged', generationCreated],
        202: ['Charged, and still open after the seconds of `Prefer: wait`', generationCreated],
      },
      headers: [
        {
          name: 'Prefer',
          in: 'header',
          schema: { type: 'string' },
          description: '`wait=30` answers once the generation has ended, or with 202 after 30 seconds (at most 60)',
        },
        {
          name: 'Engine-Version',
          in: 'header',
          schema: { type: 'string' },
          description: 'refuses another version of the engine with engine.version_unavailable',
        },
      ],
      errors: [
        ...formErrors,
        'tool.unknown',
        'file.not_found',
        'idempotency.reused',
        'queue.full',
        'tool.disabled',
        'consent.required',
        'consent.remote_required',
        'tool.option_unavailable',
        'tool.scene_unknown',
        'engine.version_unavailable',
        'api_key.daily_limit',
        'api_key.test_impossible',
        'upload.address_refused',
        'upload.address_failed',
        'credits.price_changed',
        'credits.fair_use',
        'account.limited',
        ...ageErrors,
        'age.adults_only',
        'content.words_refused',
        'credits.insufficient',
      ],
      handler: async (c) => {
        const requester = { ...requesterOf(c), key: c.var.idempotencyKey }
        requireEngineVersion(c.req.header('engine-version'))
        const { generation, balance, created } = await withGenerationRequest(deps, c.req.raw, requester, (request) =>
          createGeneration(deps, { ...requester, request }),
        )
        const seconds = preferredWait(c.req.header('prefer'))
        const wait = () => awaitEnd(deps, generation, seconds ?? 0, c.req.raw.signal)
        const latest = seconds === undefined ? generation : await wait()
        const view = await generationView(deps, deps.db, latest, c.var)
        c.header('x-credits-charged', String(created ? generation.credits : 0))
        c.header('location', c.req.path.replace(/\/*$/, `/${generation.id}`))
        if (seconds !== undefined) c.header('preference-applied', `wait=${seconds}`)
        const isDone = seconds === undefined || latest.finishedAt !== null
        return reply(!isDone ? 202 : created ? 201 : 200, { ...view, balance })
      },
    }),
    route('listGenerations', 'GET /generations', signedIn, {
      summary: 'List your generations, newest first',
      input: { query: listGenerationsInput },
      output: { 200: ['One page of results', generationPage] },
      handler: async (c) => {
        const { rows, nextCursor } = await listGenerations(deps.db, c.var.user.id, c.req.valid('query'))
        return { items: await generationViews(deps, deps.db, rows, c.var), nextCursor }
      },
    }),
    route('readGeneration', 'GET /generations/:id', signedIn, {
      summary: 'Get a generation',
      output: { 200: ['The generation', generationSchema] },
      errors: ['generation.not_found'],
      handler: async (c) => {
        const row = await findGeneration(deps.db, c.var.user.id, c.req.param('id'))
        return await generationView(deps, deps.db, row, c.var)
      },
    }),
    route('deleteGeneration', 'DELETE /generations/:id', signedIn, {
      summary: 'Delete a generation and its pictures; an unfinished one is refunded',
      output: { 204: 'Deleted' },
      errors: ['generation.not_found'],
      handler: (c) => deleteGeneration(deps, { userId: c.var.user.id, id: c.req.param('id') }),
    }),
    route('cancelGeneration', 'POST /generations/:id/cancel', signedIn, {
      summary: 'Cancel a generation and refund its credits',
      output: { 200: ['The generation, cancelled', generationSchema] },
      errors: ['generation.not_found', 'generation.not_cancellable'],
      handler: async (c) => {
        const row = await cancelGeneration(deps, { userId: c.var.user.id, id: c.req.param('id') })
        return await generationView(deps, deps.db, row, c.var)
      },
    }),
    route('requestRefund', 'POST /generations/:id/claim', signedIn, {
      summary: 'Request a refund for a bad result: granted immediately, or reviewed by an admin',
      input: { json: refundRequestInput },
      limits: limited('claim', 30),
      output: { 201: ['The outcome of the refund request', refundRequestAnswer] },
      errors: ['generation.not_found', 'claim.not_possible', 'claim.too_late', 'claim.already_made'],
      handler: async (c) => {
        const { id: userId } = c.var.user
        const { reason } = c.req.valid('json')
        return await requestRefund(deps, { userId, id: c.req.param('id'), reason })
      },
    }),
    route('renderGeneration', 'POST /generations/:id/render', signedIn, {
      summary: 'Render a result again with other render parameters, free of charge',
      body: body(['params']),
      limits: limited('render', 60),
      output: { 200: ['The generation with its new outputs', generationSchema] },
      errors: [
        ...formErrors,
        'generation.not_found',
        'generation.not_renderable',
        'generation.refunded',
        'generation.expired',
        'consent.required',
        ...ageErrors,
        'age.adults_only',
        'file.not_found',
      ],
      handler: async (c) => {
        const requester = requesterOf(c)
        const { userId } = requester
        const { id, tool } = await findGeneration(deps.db, userId, c.req.param('id'))
        const row = await withRender(deps, c.req.raw, { ...requester, tool: findTool(deps.tools, tool) }, (render) =>
          renderGeneration(deps, { userId, id }, render),
        )
        return await generationView(deps, deps.db, row, c.var)
      },
    }),
    route('receiveProviderWebhook', 'POST /webhooks/providers/:provider/:reference', 'visitor', {
      summary: 'Receive a signed webhook of a hosted provider',
      before: webhookLimit,
      output: { 200: 'Received' },
      errors: ['request.not_found', 'auth.forbidden'],
      handler: async (c) => {
        const { provider, reference } = c.req.param()
        const body = new Uint8Array(await c.req.arrayBuffer())
        await takeWebhook(deps, { provider, reference, headers: c.req.raw.headers, body })
        return { received: true }
      },
    }),
    // Every tool page loads this response. It has no user data, so compression leaks nothing by
    // the length.
    route('listTools', 'GET /tools', 'visitor', {
      summary: 'List all tools with prices and parameters',
      input: { query: toolsQuery },
      before: compress(),
      output: { 200: ['The tools', toolList] },
      handler: async (c) => ({ items: await listTools(deps, c.req.valid('query')) }),
    }),
    route('acceptParams', 'POST /tools/:tool/params', 'visitor', {
      summary: 'Validate options from another source, such as a link, and fill in defaults',
      input: { json: paramsInput },
      body: optionsBody,
      output: { 200: ['The options', paramsInput] },
      errors: ['tool.unknown', 'params.invalid'],
      handler: (c) => {
        const tool = requireTool(deps.tools, c.req.param('tool'))
        return acceptParams(tool, c.req.valid('json'))
      },
    }),
    route('checkInputs', 'POST /tools/:tool/check', signedIn, {
      summary: 'Check photos and price of a generation, free of charge',
      body: body([]),
      limits: limited('check', 60),
      output: { 200: ['The problems, warnings and price', photoCheckView] },
      errors: [
        ...formErrors,
        'tool.unknown',
        'file.not_found',
        'tool.disabled',
        'consent.required',
        ...ageErrors,
        'age.adults_only',
      ],
      handler: async (c) => {
        const requester = requesterOf(c)
        const tool = requireTool(deps.tools, c.req.param('tool'))
        return await withRender(deps, c.req.raw, { ...requester, tool }, ({ params, inputs }) => {
          const request = { params, inputs, tool, expectedCredits: undefined }
          return checkInputs(deps, { userId: requester.userId, request, language: c.var.language })
        })
      },
    }),
    route('makePreview', 'POST /tools/:tool/preview', 'visitor', {
      summary:
        'Create watermarked previews, free and without an account; limited by device, address and network; nothing is stored',
      body: formBody(),
      output: { 200: ['The results', previewView] },
      errors: [
        ...formErrors,
        'tool.unknown',
        'request.rate_limited',
        'consent.required',
        'auth.required',
        'content.words_refused',
        'tool.disabled',
      ],
      handler: async (c) => {
        const { address, language } = c.var
        await limitForms(deps, address)
        const device = await knownDevice(c, deps.config)
        const tool = requireTool(deps.tools, c.req.param('tool'))
        c.header('cache-control', 'no-store')
        const onAccepted = async () => {
          await limitPreviews(deps, { address, device })
          if (device === undefined) await setDeviceCookie(c, deps.config)
        }
        const request = { request: c.req.raw, tool, address, language, onAccepted }
        const { outputs, warnings } = await makePreview(deps, request)
        return { outputs, warnings }
      },
    }),
    route('selectObject', 'POST /select', signedIn, {
      summary: 'Select the objects at given points of a small picture',
      input: { json: selectInput },
      maxBytes: selectMaxBytes + 10_000,
      limits: limited('select', 120),
      output: { 200: file("A PNG of the picture's size, white where the object is and black elsewhere", 'image/png') },
      errors: ['request.not_found', 'upload.unreadable'],
      handler: async (c) => {
        const alpha = await selectObject(deps, c.req.valid('json'), c.req.raw.signal)
        return c.body(Uint8Array.from(alpha), 200, privatePicture('image/png'))
      },
    }),
    route('serveFile', 'GET /files/:id/:name', 'visitor', {
      summary: 'Serve a stored file by its signed address; supports range requests',
      output: { 200: file('The file', 'image/*') },
      errors: ['file.link_invalid', 'file.not_found'],
      handler: (c) => serveFile(deps, c),
    }),
    ...adminGenerationRoutes(deps),
  ]
}
