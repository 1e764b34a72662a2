import type { ContentWithResolver, DescribeRouteOptions } from 'hono-openapi'
import { documented, respondsWith } from '#server/http/documented.ts'
import { photoCheckView, toolList } from '#tools/contract/schemas.ts'
import type { ToolRegistry } from '#tools/contract/tool.ts'
import * as schemas from '../schemas.ts'
import { paramsDocument } from './tools/list-tools.ts'

/** An OpenAPI schema without references. */
type Schema = Exclude<NonNullable<ContentWithResolver[string]['schema']>, { $ref: string }>

const whole = { type: 'integer', minimum: 0 }
const picture = { type: 'string', format: 'binary' }

function object(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) }
}

const inputRef = {
  oneOf: [
    object({ upload: { type: 'string', format: 'uuid', description: 'an own upload' } }),
    object({ file: { type: 'string', format: 'uuid', description: 'an output of an own earlier generation' } }),
  ],
}

/**
 * Body of a request for a generation: JSON whose inputs name uploads and earlier results, or a
 * multipart form with files under the inputs' names.
 */
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

/** OpenAPI descriptions of the generations' routes, for /api/openapi.json. */
export function documentsOf(tools: ToolRegistry) {
  const ids = Object.keys(tools)
  const params = {
    // The getter delays this work until a client requests the document.
    get anyOf() {
      return Object.values(tools).map((tool) => ({ title: tool.id, ...paramsDocument(tool) }))
    },
  }
  return {
    create: documented(
      'Generate a picture',
      {
        ...respondsWith(201, 'Charged and queued; X-Credits-Charged repeats the price', schemas.generationCreated),
        ...respondsWith(200, 'The key came before: the same generation, nothing charged', schemas.generationCreated),
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
    list: documented('The history, newest first', respondsWith(200, 'A page of it', schemas.generationPage)),
    read: documented('One generation', respondsWith(200, 'The generation', schemas.generationView)),
    remove: documented('Delete a generation with its pictures; an open one is refunded', {
      204: { description: 'Its pictures are gone' },
    }),
    cancel: documented(
      'Stop a generation; the credits come back',
      respondsWith(200, 'The generation, cancelled', schemas.generationView),
    ),
    requestRefund: documented(
      'The result is no good: the credits come back at once, or an admin looks at it',
      respondsWith(201, 'What became of the refund request', schemas.refundRequestAnswer),
    ),
    render: documented(
      'Render a result again with other render parameters, for free',
      respondsWith(200, 'The generation with its new outputs', schemas.generationView),
      { requestBody: runBody(tools, { params }, ['params']) },
    ),
    tools: documented('Every tool with its price and parameters', respondsWith(200, 'The tools', toolList), {
      security: [],
    }),
    params: documented(
      'Read options that came from elsewhere, a link say; those that were left out are filled in',
      respondsWith(200, 'The options', schemas.paramsInput),
      { security: [], requestBody: { content: { 'application/json': { schema: params as Schema } } } },
    ),
    check: documented(
      'Say for free what a run would cost and what is wrong with it',
      respondsWith(200, 'What was found', photoCheckView),
      { requestBody: runBody(tools, { params }, []) },
    ),
    preview: documented(
      'Edit small pictures for nothing and without an account, as small marked samples; limited by device, address and network, and nothing is kept',
      respondsWith(200, 'The results', schemas.previewView),
      { security: [], requestBody: { content: { 'multipart/form-data': { schema: { type: 'object' } } } } },
    ),
    compare: documented(
      'Edit a small picture as a visitor’s preview does, with what others may do of it done by one provider',
      respondsWith(200, 'What came out', schemas.comparisonView),
      { requestBody: { content: { 'multipart/form-data': { schema: { type: 'object' } } } } },
    ),
    testProvider: documented(
      'Have a provider do a task with a portrait that comes with the program; it costs what a run’s job does',
      respondsWith(200, 'What came out, or why nothing did', schemas.providerTestView),
    ),
    listModels: documented(
      'The models that can be added, with their licences, and how far those are that come',
      respondsWith(200, 'The models', schemas.modelList),
    ),
    installModel: documented('Have a model fetched by a job', respondsWith(202, 'The models', schemas.modelList)),
    removeModel: documented('Take a model away', respondsWith(204, 'It is gone')),
    select: documented(
      'Select the thing that lies below points of a small picture, where the server has a model for that',
      {
        200: {
          description: 'A grey PNG of the picture’s size, white where the thing is',
          content: { 'image/png': { schema: picture as Schema } },
        },
      },
    ),
    listProviders: documented(
      'Who can do tasks for tools, how they are, and why they failed last',
      respondsWith(200, 'The providers', schemas.providerList),
    ),
    listTasks: documented(
      'The tasks that tools let others do, and who is asked for them',
      respondsWith(200, 'The tasks', schemas.taskList),
    ),
    setTaskOrder: documented(
      'Set in which order providers are asked for a task',
      respondsWith(200, 'The tasks', schemas.taskList),
    ),
    listProviderSettings: documented(
      'Models and budgets of the hosted services, with what they have cost',
      respondsWith(200, 'The settings', schemas.providerSettingsList),
    ),
    setProviderSettings: documented(
      'Set models and budgets of a hosted service',
      respondsWith(200, 'The settings', schemas.providerSettingsList),
    ),
    providerWebhook: documented('What a hosted service tells of a run; signed by it', {
      200: { description: 'Heard' },
    }),
    listToolSettings: documented(
      'How every tool is set, and who could do its work',
      respondsWith(200, 'The settings', schemas.toolSettingsList),
    ),
    setToolSettings: documented(
      'Switch a tool on or off, with what people are told, or choose who does its work',
      respondsWith(200, 'The settings', schemas.toolSettingsList),
    ),
    runAgain: documented('Run a failed generation again, for nothing', { 204: { description: 'It is queued' } }),
    refundRequestPicture: documented('A picture that a waiting refund request is about; opening it is recorded', {
      200: { description: 'The picture', content: { 'image/*': { schema: picture as Schema } } },
    }),
    file: documented(
      'A stored file, by its signed address; ranges are served',
      { 200: { description: 'The file', content: { 'image/*': { schema: picture as Schema } } } },
      {
        security: [],
      },
    ),
  }
}
