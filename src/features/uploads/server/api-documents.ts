import type { DescribeRouteOptions } from 'hono-openapi'
import { documented } from '#server/http/documented.ts'
import { uploadHours, uploadStatuses } from '../rules.ts'

const text = { type: 'string' } as const
const whole = { type: 'integer', minimum: 0 } as const
const maybe = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const view = {
  type: 'object',
  properties: {
    ...{ id: { ...text, format: 'uuid' }, status: { ...text, enum: [...uploadStatuses] }, name: text },
    ...{ contentType: maybe(text), bytes: whole, received: whole, width: maybe(whole), height: maybe(whole) },
    ...{ seconds: maybe({ type: 'number' }), expiresAt: { ...text, format: 'date-time' } },
  },
}
const header = (name: string, description: string, required = true) => ({
  ...{ in: 'header', name, description, required, schema: text },
})
const version = header('Tus-Resumable', '1.0.0')
const rest = (parameters: object[]) => ({ tags: ['uploads'], parameters }) as Pick<DescribeRouteOptions, 'parameters'>

/** Descriptions of the routes in /api/openapi.json. */
export const documents = {
  create: documented(
    `Begins an upload by the tus protocol 1.0.0 (creation, termination, expiration). It is deleted after ${uploadHours} hours.`,
    { 201: { description: 'Its address is in the header Location' } },
    rest([
      version,
      header('Upload-Length', 'bytes of the file'),
      header('Upload-Metadata', '`filename` and `filetype`, base64', false),
    ]),
  ),
  append: documented(
    'Sends bytes of an upload; with the last one it is checked',
    { 204: { description: 'How much has arrived is in the header Upload-Offset' } },
    rest([version, header('Upload-Offset', 'where these bytes belong')]),
  ),
  read: documented('An upload (HEAD: how much of it has arrived, by tus)', {
    200: { description: 'The upload', content: { 'application/json': { schema: view as never } } },
  }),
  remove: documented('Deletes an upload', { 204: { description: 'Deleted' } }, rest([version])),
}
