import { makeZip } from 'client-zip'
import type { Context } from 'hono'
import { clipBox, moveBox, wholeOf } from '#engine/image/geometry.ts'
import type { Size } from '#engine/image/picture.ts'
import { credits } from '#features/credits/server/credits.ts'
import { type Generation, generations } from '#features/generations/server/generations.ts'
import { formBody, uploads } from '#features/uploads/server/uploads.ts'
import { requireApiKey } from '#server/auth/require-api-key.ts'
import type { Deps } from '#server/deps.ts'
import { createFairQueue } from '#server/fair-queue.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import type { AppEnv, UserEnv } from '#server/http/env.ts'
import { type Route, route } from '#server/http/route.ts'
import { privatePicture } from '#server/http/security-headers.ts'
import { parseBoundedJson, readText } from '#server/http/validate.ts'
import { translate } from '#server/i18n.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { type Box, imageLimits } from '#shared/media.ts'
import { type } from '#shared/schema.ts'
import { findTool } from '#tools/contract/tool.ts'
import { outputPlacement } from '#tools/engine/tool-engine.ts'
import { outputsOf } from '../key-usage.ts'
import { InvalidOption, isZip, optionsOf, type TextFields, textFields, typeOf } from './options.ts'

// The interface of remove.bg's API, so that its clients work once their base address is changed.
// Only the interface is theirs: the removal is the tool `background-removal`.

const toolId = 'background-removal'
/** Seconds; a removal that takes longer is cancelled and costs nothing. */
const waitSeconds = 110
/** A picture in base64, with the other fields. */
const bodyMaxBytes = Math.ceil((imageLimits.bytes * 4) / 3) + 64 * 1024
/** Such a body is held in memory, so few are read at once. */
const bodyQueue = createFairQueue({ concurrency: 2, waiting: 100, waitingEach: 10, seconds: 60 })

/** Clients may send fields that a later version of the interface knows. */
const maxOtherFields = 20

const whole = 'number.integer >= 0'
const accountView = type({
  data: {
    attributes: {
      credits: { total: whole, subscription: whole, payg: whole, enterprise: whole },
      api: { free_calls: whole, sizes: 'string' },
    },
  },
})

export function removeBgRoutes(deps: Deps): Route[] {
  return [
    route('removeBackground', 'POST /removebg', requireApiKey(deps, 'run'), {
      summary: 'Remove the background of a picture, as with the API of remove.bg',
      description: `Takes a form, URL-encoded fields or JSON. Fields: image_file, image_file_b64 or image_url; bg_image_file; ${textFields.slice(2).join(', ')}; others are ignored. A ZIP holds color.jpg and alpha.png. The headers X-Foreground-Top, -Left, -Width and -Height give the box of the subject in the result. Errors are \`{errors: [{title, code}]}\`.`,
      body: formBody(),
      output: {
        200: {
          description: 'The picture; with `Accept: application/json` in base64',
          content: { 'image/*': { schema: { type: 'string', format: 'binary' } }, 'application/json': {} },
        },
      },
      handler: (c) => removeBackground(deps, c),
    }),
    route('improveRemoveBg', 'POST /improve', requireApiKey(deps, 'run'), {
      summary: 'Always refused: pictures are not collected to improve the tool',
      output: { 200: 'Never' },
      handler: () => {
        throw new InvalidOption('improve', 'pictures are not collected, nothing was stored', 'not_supported')
      },
    }),
    route('readRemoveBgAccount', 'GET /account', requireApiKey(deps, 'balance'), {
      summary: 'Get the credits, as with the API of remove.bg',
      output: { 200: ['The account', accountView] },
      handler: async (c) => {
        const { credits: total } = await credits.balance(deps.db, c.var.user.id, deps.clock())
        return {
          data: {
            attributes: {
              credits: { total, subscription: 0, payg: total, enterprise: 0 },
              api: { free_calls: 0, sizes: 'all' },
            },
          },
        }
      },
    }),
  ]
}

interface Given {
  fields: TextFields
  inputs: Record<string, { upload: string }[]>
}

async function removeBackground(deps: Deps, c: Context<UserEnv>) {
  const userId = c.var.user.id
  const key = c.req.header('idempotency-key')?.trim().slice(0, 200) || crypto.randomUUID()
  await generations.requireNewRequestAllowed(deps, userId, key)
  const { generation, fields, picture } = await withFields(deps, c.req.raw, userId, (given) =>
    start(deps, c, key, given),
  )
  const ended = await generations.awaitEnd(deps, generation, waitSeconds, c.req.raw.signal)
  if (ended.status === 'failed') throw appError(ended.errorCode ?? 'engine.failed')
  if (ended.status !== 'succeeded') {
    await generations.cancel(deps, { userId, id: ended.id }).catch(() => {})
    throw appError('server.busy', { retryAfter: 30 })
  }
  const outputs = await outputsOf(deps.db, ended.id)
  const [output] = outputs
  const type = typeOf(fields, ended.facts.kind === 'person')
  const { x: left, y: top, width, height } = foregroundOf(ended, picture, output)
  const headers = {
    'x-credits-charged': String(ended.credits),
    'x-width': String(output.width),
    'x-height': String(output.height),
    'x-foreground-top': String(top),
    'x-foreground-left': String(left),
    'x-foreground-width': String(width),
    'x-foreground-height': String(height),
    ...(type && { 'x-type': type }),
  }
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  const archive = isZip(fields) ? await zipOf(deps, outputs) : undefined
  if (c.req.header('accept')?.includes('application/json')) {
    const bytes = Buffer.from(archive ?? (await deps.store.get(output.storageKey)))
    const foreground = {
      foreground_top: top,
      foreground_left: left,
      foreground_width: width,
      foreground_height: height,
    }
    return c.json({ data: { result_b64: bytes.toString('base64'), ...foreground } })
  }
  if (archive) return c.body(archive, 200, { 'content-type': 'application/zip' })
  return await generations.sendFile(deps.store, c, output, {
    etag: `"${output.id}"`,
    ...privatePicture(output.contentType),
    ...headers,
  })
}

/** Whole-pixel box of the subject in the output; the whole output where it is unknown. */
function foregroundOf({ facts }: Generation, picture: Size, output: Size): Box {
  const { width, height } = output
  const whole = { x: 0, y: 0, width, height }
  const placement = outputPlacement(facts, 0, output, picture)
  return (
    (placement && clipBox(moveBox((facts.foreground ?? wholeOf(picture)) as unknown as Box, placement), output)) ??
    whole
  )
}

async function zipOf({ store }: Deps, outputs: readonly { label: string | null; storageKey: string }[]) {
  const names: Record<string, string> = { color: 'color.jpg', alpha: 'alpha.png' }
  const entries = outputs.map(async ({ label, storageKey }) => ({
    name: names[label ?? ''] ?? storageKey,
    input: await store.get(storageKey),
  }))
  return new Uint8Array(await new Response(makeZip(await Promise.all(entries))).arrayBuffer())
}

async function start(
  deps: Deps,
  c: Context<UserEnv>,
  key: string,
  { fields, inputs }: Given,
): Promise<{ generation: Generation; fields: TextFields; picture: Size }> {
  const userId = c.var.user.id
  const { apiKey } = c.var
  const [picture, ...more] = inputs.image_file ?? []
  const sources = 'exactly one of image_file, image_file_b64 and image_url'
  if (!picture) throw new InvalidOption('image_file', sources, 'missing_source')
  if (more.length > 0) throw new InvalidOption('image_file', sources, 'multiple_sources')
  const background = inputs.bg_image_file ?? []
  const [source] = await generations.takeFiles(deps, userId, [picture])
  const { width = 0, height = 0 } = source ?? {}
  const tool = findTool(deps.tools, toolId)
  if (!tool) throw appError('tool.unknown')
  const size = { width, height }
  const params = { ...optionsOf(fields, { picture: size, hasBackground: background.length > 0 }) }
  const request = { tool, params, inputs: { picture: [picture], background }, expectedCredits: undefined }
  const { generation } = await generations.create(deps, { userId, key, request, apiKey })
  return { generation, fields, picture: size }
}

/** Uploads the pictures, wherever they are; they exist until `use` has ended. */
function withFields<Result>(
  deps: Deps,
  request: Request,
  userId: string,
  use: (given: Given) => Promise<Result>,
): Promise<Result> {
  const withAddresses = async ({ fields, inputs }: Given): Promise<Result> => {
    const { image_url, bg_image_url } = fields
    const addresses = [
      ...(image_url ? [{ input: 'image_file', url: image_url }] : []),
      ...(bg_image_url ? [{ input: 'bg_image_file', url: bg_image_url }] : []),
    ]
    if (addresses.length === 0) return await use({ fields, inputs })
    return await uploads.receiveAddresses(deps, userId, addresses, (fetched) => {
      const both = (name: string) => [...(inputs[name] ?? []), ...(fetched[name] ?? [])]
      return use({ fields, inputs: { image_file: both('image_file'), bg_image_file: both('bg_image_file') } })
    })
  }
  return withForm(deps, request, userId, withAddresses)
}

async function withForm<Result>(
  deps: Deps,
  request: Request,
  userId: string,
  use: (given: Given) => Promise<Result>,
): Promise<Result> {
  const contentType = request.headers.get('content-type') ?? ''
  const limits = { userId, fields: [...textFields], otherFields: maxOtherFields, maxFiles: 2 }
  if (/^multipart\/form-data/i.test(contentType)) return await uploads.receiveForm(deps, request, limits, use)
  const form = await bodyQueue.run(userId, () => formOf(request, contentType))
  return await uploads.receiveForm(deps, form, limits, use)
}

/** Rewrites the other formats as a form, so that one reader checks them all. */
async function formOf(request: Request, contentType: string): Promise<Request> {
  const text = await readText(request, bodyMaxBytes)
  const fields = /json/i.test(contentType) ? readJson(text) : Object.fromEntries(new URLSearchParams(text))
  const form = new FormData()
  const { image_file_b64: encoded, ...rest } = fields
  if (encoded) {
    const base64 = encoded.replace(/^data:[^,]{0,100},/, '')
    form.set('image_file', new Blob([Buffer.from(base64, 'base64')]), 'image')
  }
  for (const [name, value] of Object.entries(rest)) form.set(name, value)
  return new Request(request.url, { method: 'POST', body: form })
}

/** Values may be booleans or numbers; null and absent are the same. */
function readJson(text: string): Record<string, string> {
  const value = parseBoundedJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw appError('request.malformed')
  const given = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return Object.fromEntries(given.map(([name, one]) => [name, String(one)]))
}

const codes: Partial<Record<ErrorCode, string>> = {
  'auth.required': 'auth_failed',
  'api_key.invalid': 'auth_failed',
  'api_key.scope_missing': 'auth_failed',
  'auth.disabled': 'auth_failed',
  'credits.insufficient': 'insufficient_credits',
  'request.rate_limited': 'rate_limit_exceeded',
  'api_key.daily_limit': 'rate_limit_exceeded',
  'engine.no_subject': 'unknown_foreground',
  'engine.subject_unsure': 'unknown_foreground',
  'engine.people_unsure': 'unknown_foreground',
  'engine.person_not_found': 'unknown_foreground',
  'upload.missing': 'missing_source',
  'upload.too_large': 'file_size_too_large',
  'upload.not_image': 'invalid_file_type',
  'upload.unreadable': 'invalid_file_type',
  'upload.address_refused': 'failed_to_read_image_url',
  'upload.address_failed': 'failed_to_read_image_url',
}

/** Statuses that remove.bg's clients know. */
function statusOf({ code, status }: AppError): number {
  if (codes[code] === 'auth_failed') return 403
  return [402, 403, 429].includes(status) || status >= 500 ? status : 400
}

/** Errors as remove.bg's clients read them; `undefined` for those that are no refusal. */
export function removeBgError(c: Context<AppEnv>, error: Error): Response | undefined {
  if (error instanceof InvalidOption) {
    return c.json({ errors: [{ title: error.message, code: error.code }] }, 400)
  }
  if (!(error instanceof AppError)) return undefined
  // Its clients expect English unless they say otherwise.
  const language = c.req.header('accept-language') ? c.var.language : 'en'
  const title = translate(language, `error.${error.code}`)
  if (error.retryAfter !== undefined) c.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfter))))
  const body = { errors: [{ title, code: codes[error.code] ?? error.code.replace('.', '_') }] }
  return c.json(body, statusOf(error) as 400)
}
