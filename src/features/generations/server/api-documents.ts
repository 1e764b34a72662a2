import type { ContentWithResolver, DescribeRouteOptions } from 'hono-openapi'
import { documented } from '#server/http/documented.ts'
import { toolContracts, toolIds } from '#tools/contracts.ts'
import { claimReasonMax, claimStatuses, generationStatuses } from '../contract.ts'
import { paramsDocument } from './list-tools.ts'

/** A schema of the document, written as it stands there. */
type Schema = Exclude<NonNullable<ContentWithResolver[string]['schema']>, { $ref: string }>

const text = { type: 'string' }
const moment = { type: 'string', format: 'date-time' }
const whole = { type: 'integer', minimum: 0 }
const notice = object({ code: text, msg: text })
const picture = { type: 'string', format: 'binary' }

const file = object({ id: text, url: text, name: text, contentType: text, width: whole, height: whole, bytes: whole })

const claimFields = {
  status: { type: 'string', enum: [...claimStatuses] },
  refunded: { ...whole, description: 'credits that came back' },
}

const generationFields = {
  id: { type: 'string', format: 'uuid' },
  tool: { type: 'string', enum: toolIds },
  status: { type: 'string', enum: [...generationStatuses] },
  progress: { type: 'number', minimum: 0, maximum: 1 },
  position: { type: ['integer', 'null'], description: 'runs before this one while it is queued' },
  credits: { ...whole, description: 'credits charged' },
  params: { type: 'object' },
  provider: text,
  warnings: { type: 'array', items: notice },
  error: { anyOf: [notice, { type: 'null' }] },
  inputs: { type: 'array', items: file },
  outputs: { type: 'array', items: file },
  thumbnailUrl: { type: ['string', 'null'] },
  claim: { anyOf: [object(claimFields), { type: 'null' }] },
  createdAt: moment,
  finishedAt: { anyOf: [moment, { type: 'null' }] },
  expiresAt: moment,
}
const generation = object(generationFields)
const created = object({ ...generationFields, balance: { ...whole, description: 'balance after the charge' } })
const page = object({ items: { type: 'array', items: generation }, nextCursor: { type: ['string', 'null'] } })
const tool = object({
  id: text,
  route: text,
  enabled: { type: 'boolean' },
  credits: { ...whole, description: 'unit price' },
  media: { type: 'string', enum: ['image', 'video'] },
  paramsSchema: { type: 'object', description: 'JSON Schema of the field params' },
})

function object(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) }
}

function answer(status: number, description: string, schema: object, contentType = 'application/json') {
  return { [status]: { description, content: { [contentType]: { schema: schema as Schema } } } }
}

/** A form's fields: what every tool takes, and the further files and parameters of each. */
function form(fields: Record<string, object>, required: string[]): DescribeRouteOptions['requestBody'] {
  const extras = new Set(Object.values(toolContracts).flatMap(({ extras }) => [...extras]))
  const properties = { ...fields, ...Object.fromEntries([...extras].map((name) => [name, picture])) }
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: { type: 'object', properties, required } as Schema,
        encoding: { params: { contentType: 'application/json' } },
      },
    },
  }
}

const key = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', maxLength: 200 },
  description: 'the same key again answers with the same generation and charges nothing',
} as const

const params = { anyOf: toolIds.map((id) => ({ title: id, ...paramsDocument(id) })) }

/** Each route of the generations as it stands in /api/openapi.json. */
export const documents = {
  create: documented(
    'Generate a picture',
    {
      ...answer(201, 'Charged and queued; X-Credits-Charged repeats the price', created),
      ...answer(200, 'The key came before: the same generation, nothing charged', created),
    },
    {
      parameters: [key],
      requestBody: form(
        {
          tool: { type: 'string', enum: toolIds },
          params,
          image: { type: 'array', items: picture },
          expected_credits: { ...whole, description: 'refuse with credits.price_changed at any other price' },
        },
        ['tool', 'image'],
      ),
    },
  ),
  list: documented('The history, newest first', answer(200, 'A page of it', page)),
  read: documented('One generation', answer(200, 'The generation', generation)),
  remove: documented('Delete a generation with its pictures; an open one is refunded', {
    204: { description: 'Its pictures are gone' },
  }),
  cancel: documented('Stop a generation; the credits come back', answer(200, 'The generation, cancelled', generation)),
  claim: documented(
    'The result is no good: the credits come back at once, or an admin looks at it',
    answer(201, 'What became of the claim', object({ ...claimFields, balance: { ...whole, description: 'after it' } })),
    {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: object({ reason: { type: 'string', minLength: 1, maxLength: claimReasonMax } }) as Schema,
          },
        },
      },
    },
  ),
  render: documented(
    'Draw a result again with other render parameters, for free',
    answer(200, 'The generation with its new outputs', generation),
    { requestBody: form({ params }, ['params']) },
  ),
  tools: documented(
    'Every tool with its price and parameters',
    answer(200, 'The tools', object({ items: { type: 'array', items: tool } })),
    { security: [] },
  ),
  file: documented(
    'A stored file, by its signed address; ranges are served',
    answer(200, 'The file', picture, 'image/*'),
    {
      security: [],
    },
  ),
}
