import type { Context } from 'hono'
import { ageErrors, requireAllowedAge } from '#server/auth/age.ts'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import type { UserEnv } from '#server/http/env.ts'
import { route } from '#server/http/route.ts'
import { uploadHours, uploadStatuses } from '../rules.ts'
import { findUpload, uploadView } from './find-upload.ts'

const text = { type: 'string' } as const
const whole = { type: 'integer', minimum: 0 } as const
const maybe = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const view = {
  type: 'object',
  properties: {
    id: { ...text, format: 'uuid' },
    status: { ...text, enum: [...uploadStatuses] },
    name: text,
    contentType: maybe(text),
    bytes: whole,
    received: whole,
    width: maybe(whole),
    height: maybe(whole),
    seconds: maybe({ type: 'number' }),
    expiresAt: { ...text, format: 'date-time' },
  },
}
const header = (name: string, description: string, required = true) => ({
  in: 'header' as const,
  name,
  description,
  required,
  schema: text,
})
const version = header('Tus-Resumable', '1.0.0')

export function uploadRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  // Loaded with the first upload, so that the server starts faster.
  const upload = async (c: Context<UserEnv>) => (await import('./tus.ts')).handleTus(deps, c)
  return [
    route('createUpload', 'POST /uploads', signedIn, {
      summary: `Create an upload with tus 1.0.0 (creation, termination, expiration); deleted after ${uploadHours} hours if unused`,
      headers: [
        version,
        header('Upload-Length', 'bytes of the file'),
        header('Upload-Metadata', '`filename` and `filetype`, base64', false),
      ],
      output: { 201: 'Created; the address is in the Location header' },
      errors: ['upload.protocol', 'upload.empty', 'upload.too_large', 'upload.limit', 'upload.no_space', ...ageErrors],
      handler: async (c) => {
        // Uploads under way may end.
        await requireAllowedAge(deps.db, deps.config, { userId: c.var.user.id, now: deps.clock() })
        return await upload(c)
      },
    }),
    route('readUploadOptions', 'OPTIONS /uploads', signedIn, {
      summary: 'Get the tus capabilities',
      output: { 204: 'The headers name them' },
      handler: upload,
    }),
    route('readUpload', 'GET /uploads/:id', signedIn, {
      summary: 'Get an upload; HEAD returns its offset (tus)',
      output: { 200: { description: 'The upload', content: { 'application/json': { schema: view as never } } } },
      errors: ['upload.not_found'],
      handler: async (c) => {
        // Hono routes HEAD to the handler of GET.
        if (c.req.raw.method === 'HEAD') return await upload(c)
        return uploadView(await findUpload(deps, c.var.user.id, c.req.param('id')))
      },
    }),
    route('appendToUpload', 'PATCH /uploads/:id', signedIn, {
      summary: 'Send bytes of an upload; the last one triggers its validation',
      headers: [version, header('Upload-Offset', 'where these bytes belong')],
      output: { 204: 'Stored; the new offset is in the Upload-Offset header' },
      errors: ['upload.protocol', 'upload.not_found', 'upload.conflict', 'upload.not_image', 'upload.unreadable'],
      handler: upload,
    }),
    route('deleteUpload', 'DELETE /uploads/:id', signedIn, {
      summary: 'Delete an upload',
      headers: [version],
      output: { 204: 'Deleted' },
      errors: ['upload.protocol', 'upload.not_found'],
      handler: upload,
    }),
  ]
}
