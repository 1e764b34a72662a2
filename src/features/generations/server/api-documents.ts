import type { ContentWithResolver, DescribeRouteOptions } from 'hono-openapi'
import { documented } from '#server/http/documented.ts'
import type { ToolRegistry } from '#tools/tool.ts'
import { claimReasonMax, claimStatuses, generationStatuses } from '../contract.ts'
import { paramsDocument } from './list-tools.ts'

/** A schema of the document, written as it stands there. */
type Schema = Exclude<NonNullable<ContentWithResolver[string]['schema']>, { $ref: string }>

const text = { type: 'string' }
const moment = { type: 'string', format: 'date-time' }
const whole = { type: 'integer', minimum: 0 }
const notice = object({ code: text, msg: text })
const picture = { type: 'string', format: 'binary' }

const fileFields = { id: text, url: text, name: text, contentType: text, width: whole, height: whole, bytes: whole }

const claimFields = {
  status: { type: 'string', enum: [...claimStatuses] },
  refunded: { ...whole, description: 'credits that came back' },
}

const generationFields = {
  id: { type: 'string', format: 'uuid' },
  tool: text,
  status: { type: 'string', enum: [...generationStatuses] },
  progress: { type: 'number', minimum: 0, maximum: 1 },
  position: { type: ['integer', 'null'], description: 'runs before this one while it is queued' },
  credits: { ...whole, description: 'credits charged' },
  params: { type: 'object' },
  provider: text,
  warnings: { type: 'array', items: notice },
  error: { anyOf: [notice, { type: 'null' }] },
  facts: { type: 'object', description: 'what the tool says about the result' },
  inputs: {
    type: 'array',
    items: object({ ...fileFields, input: { ...text, description: 'name of the tool’s input' } }),
  },
  outputs: { type: 'array', items: object({ ...fileFields, label: { type: ['string', 'null'] } }) },
  thumbnailUrl: { type: ['string', 'null'] },
  claim: { anyOf: [object(claimFields), { type: 'null' }] },
  createdAt: moment,
  finishedAt: { anyOf: [moment, { type: 'null' }] },
  expiresAt: moment,
}
const generation = object(generationFields)
const created = object({ ...generationFields, balance: { ...whole, description: 'balance after the charge' } })
const settingsInput = { enabled: { type: 'boolean' }, message: text, provider: text }
const settings = object({
  items: {
    type: 'array',
    items: object({ tool: text, ...settingsInput, providers: { type: 'array', items: text } }),
  },
})
const list = (properties: Record<string, object>) => ({ type: 'array', items: object(properties) })
const checkView = object({
  credits: { ...whole, description: 'what a run would cost' },
  facts: { type: 'object', description: 'what the tool says about the inputs' },
  faces: list({
    input: text,
    position: whole,
    box: object({
      x: { type: 'number' },
      y: { type: 'number' },
      width: { type: 'number' },
      height: { type: 'number' },
    }),
    points: { type: 'array', items: { type: 'number' }, description: 'x and y by turns' },
  }),
  warnings: { type: 'array', items: notice },
  problems: list({ path: text, code: text, msg: text }),
  checks: list({
    code: text,
    msg: text,
    status: { type: 'string', enum: ['ok', 'warning', 'failed'] },
    measured: { type: ['number', 'null'] },
    wanted: { type: ['object', 'null'], description: 'min and max' },
  }),
})
const page = object({ items: { type: 'array', items: generation }, nextCursor: { type: ['string', 'null'] } })
const tool = object({
  id: text,
  route: text,
  enabled: { type: 'boolean' },
  message: { type: ['string', 'null'], description: 'what admins say while it is not enabled' },
  credits: { ...whole, description: 'unit price' },
  inputs: { type: 'object', description: 'kind, min and max of each input by its name' },
  paramsSchema: { type: 'object', description: 'JSON Schema of the field params' },
})

function object(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) }
}

function response(status: number, description: string, schema: object, contentType = 'application/json') {
  return { [status]: { description, content: { [contentType]: { schema: schema as Schema } } } }
}

const inputRef = {
  oneOf: [
    object({ upload: { type: 'string', format: 'uuid', description: 'an own upload' } }),
    object({ file: { type: 'string', format: 'uuid', description: 'an output of an own earlier generation' } }),
  ],
}

/** A run's body: JSON whose inputs name uploads and earlier results, or a form that brings its files under the inputs' names. */
function runBody(
  tools: ToolRegistry,
  fields: Record<string, object>,
  required: string[],
): DescribeRouteOptions['requestBody'] {
  const names = [...new Set(Object.values(tools).flatMap(({ inputs }) => Object.keys(inputs)))]
  const files = { type: 'array', items: picture }
  const image = { ...files, description: 'files for the first input of the tool' }
  const refs = names.map((name) => [name, { type: 'array', items: inputRef }])
  const inputs = { type: 'object', properties: Object.fromEntries(refs) }
  const json = { type: 'object', properties: { ...fields, inputs }, required }
  const form = {
    type: 'object',
    properties: { ...fields, image, ...Object.fromEntries(names.map((name) => [name, files])) },
    required,
  }
  return {
    required: true,
    content: {
      'application/json': { schema: json as Schema },
      'multipart/form-data': { schema: form as Schema, encoding: { params: { contentType: 'application/json' } } },
    },
  }
}

const key = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', maxLength: 200 },
  description: 'the same key again returns the same generation and charges nothing',
} as const

/** Each route of the generations as it stands in /api/openapi.json. */
export function documentsOf(tools: ToolRegistry) {
  const ids = Object.keys(tools)
  const params = { anyOf: Object.values(tools).map((tool) => ({ title: tool.id, ...paramsDocument(tool) })) }
  return {
    create: documented(
      'Generate a picture',
      {
        ...response(201, 'Charged and queued; X-Credits-Charged repeats the price', created),
        ...response(200, 'The key came before: the same generation, nothing charged', created),
      },
      {
        parameters: [key],
        requestBody: runBody(
          tools,
          {
            tool: { type: 'string', enum: ids },
            params,
            expected_credits: { ...whole, description: 'refuse with credits.price_changed at any other price' },
          },
          ['tool'],
        ),
      },
    ),
    list: documented('The history, newest first', response(200, 'A page of it', page)),
    read: documented('One generation', response(200, 'The generation', generation)),
    remove: documented('Delete a generation with its pictures; an open one is refunded', {
      204: { description: 'Its pictures are gone' },
    }),
    cancel: documented(
      'Stop a generation; the credits come back',
      response(200, 'The generation, cancelled', generation),
    ),
    claim: documented(
      'The result is no good: the credits come back at once, or an admin looks at it',
      response(
        201,
        'What became of the claim',
        object({ ...claimFields, balance: { ...whole, description: 'after it' } }),
      ),
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
      'Render a result again with other render parameters, for free',
      response(200, 'The generation with its new outputs', generation),
      { requestBody: runBody(tools, { params }, ['params']) },
    ),
    tools: documented(
      'Every tool with its price and parameters',
      response(200, 'The tools', object({ items: { type: 'array', items: tool } })),
      { security: [] },
    ),
    check: documented(
      'Say for free what a run would cost and what is wrong with it',
      response(200, 'What was found', checkView),
      { requestBody: runBody(tools, { params }, []) },
    ),
    listToolSettings: documented(
      'How every tool is set, and who could do its work',
      response(200, 'The settings', settings),
    ),
    setToolSettings: documented(
      'Switch a tool on or off, with what people are told, or choose who does its work',
      response(200, 'The settings', settings),
      {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties: settingsInput } as Schema } },
        },
      },
    ),
    runAgain: documented('Run a failed generation again, for nothing', { 204: { description: 'It is queued' } }),
    claimedPicture: documented(
      'A picture that a waiting claim is about; opening it is recorded',
      response(200, 'The picture', picture, 'image/*'),
    ),
    file: documented(
      'A stored file, by its signed address; ranges are served',
      response(200, 'The file', picture, 'image/*'),
      {
        security: [],
      },
    ),
  }
}
