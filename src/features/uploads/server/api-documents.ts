import type { DescribeRouteOptions } from 'hono-openapi'
import { documented } from '#server/http/documented.ts'
import { uploadHours, uploadStatuses } from '../rules.ts'

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
  in: 'header',
  name,
  description,
  required,
  schema: text,
})
const version = header('Tus-Resumable', '1.0.0')
const rest = (parameters: object[]) => ({ tags: ['uploads'], parameters }) as Pick<DescribeRouteOptions, 'parameters'>

export const documents = {
  create: documented(
    `Create an upload with tus 1.0.0 (creation, termination, expiration); deleted after ${uploadHours} hours if unused`,
    { 201: { description: 'Created; the address is in the Location header' } },
    rest([
      version,
      header('Upload-Length', 'bytes of the file'),
      header('Upload-Metadata', '`filename` and `filetype`, base64', false),
    ]),
  ),
  append: documented(
    'Send bytes of an upload; the last one triggers its validation',
    { 204: { description: 'Stored; the new offset is in the Upload-Offset header' } },
    rest([version, header('Upload-Offset', 'where these bytes belong')]),
  ),
  read: documented('Get an upload; HEAD returns its offset (tus)', {
    200: { description: 'The upload', content: { 'application/json': { schema: view as never } } },
  }),
  remove: documented('Delete an upload', { 204: { description: 'Deleted' } }, rest([version])),
}
