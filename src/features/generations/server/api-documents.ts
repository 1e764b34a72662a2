import type { ContentWithResolver, DescribeRouteOptions } from 'hono-openapi'
import { documented, respondsWith } from '#server/http/documented.ts'
import { photoCheckView, toolList } from '#tools/contract/schemas.ts'
import type { ToolRegistry } from '#tools/contract/tool.ts'
import * as schemas from '../schemas.ts'
import { paramsDocument } from './tools/list-tools.ts'

type Schema = Exclude<NonNullable<ContentWithResolver[string]['schema']>, { $ref: string }>

const whole = { type: 'integer', minimum: 0 }
const picture = { type: 'string', format: 'binary' }

function object(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) }
}

const inputRef = {
  oneOf: [
    object({ upload: { type: 'string', format: 'uuid', description: 'an upload of your own' } }),
    object({ file: { type: 'string', format: 'uuid', description: 'an output of one of your earlier generations' } }),
  ],
}

/**
 * JSON whose inputs name uploads and earlier results, or a form with files under the inputs' names.
 */
function generationBody(
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
  description: 'repeating the key returns the same generation and charges nothing',
} as const

export function documentsOf(tools: ToolRegistry) {
  const ids = Object.keys(tools)
  const params = {
    // Delays this work until a client requests the document.
    get anyOf() {
      return Object.values(tools).map((tool) => ({ title: tool.id, ...paramsDocument(tool) }))
    },
  }
  return {
    create: documented(
      'Start a generation',
      {
        ...respondsWith(201, 'Charged and queued; X-Credits-Charged repeats the price', schemas.generationCreated),
        ...respondsWith(
          200,
          'Repeated idempotency key: the same generation, nothing charged',
          schemas.generationCreated,
        ),
      },
      {
        parameters: [key],
        requestBody: generationBody(
          tools,
          {
            tool: { type: 'string', enum: ids },
            params,
            expected_credits: { ...whole, description: 'rejects with credits.price_changed if the price differs' },
          },
          ['tool'],
        ),
      },
    ),
    list: documented(
      'List your generations, newest first',
      respondsWith(200, 'One page of results', schemas.generationPage),
    ),
    read: documented('Get a generation', respondsWith(200, 'The generation', schemas.generationView)),
    remove: documented('Delete a generation and its pictures; an unfinished one is refunded', {
      204: { description: 'Deleted' },
    }),
    cancel: documented(
      'Cancel a generation and refund its credits',
      respondsWith(200, 'The generation, cancelled', schemas.generationView),
    ),
    requestRefund: documented(
      'Request a refund for a bad result: granted immediately, or reviewed by an admin',
      respondsWith(201, 'The outcome of the refund request', schemas.refundRequestAnswer),
    ),
    render: documented(
      'Render a result again with other render parameters, free of charge',
      respondsWith(200, 'The generation with its new outputs', schemas.generationView),
      { requestBody: generationBody(tools, { params }, ['params']) },
    ),
    tools: documented('List all tools with prices and parameters', respondsWith(200, 'The tools', toolList), {
      security: [],
    }),
    params: documented(
      'Validate options from another source, such as a link, and fill in defaults',
      respondsWith(200, 'The options', schemas.paramsInput),
      { security: [], requestBody: { content: { 'application/json': { schema: params as Schema } } } },
    ),
    check: documented(
      'Check photos and price of a generation, free of charge',
      respondsWith(200, 'The problems, warnings and price', photoCheckView),
      { requestBody: generationBody(tools, { params }, []) },
    ),
    preview: documented(
      'Create watermarked previews, free and without an account; limited by device, address and network; nothing is stored',
      respondsWith(200, 'The results', schemas.previewView),
      { security: [], requestBody: { content: { 'multipart/form-data': { schema: { type: 'object' } } } } },
    ),
    compare: documented(
      'Create a preview with the provider tasks done by one given provider',
      respondsWith(200, 'The result', schemas.comparisonView),
      { requestBody: { content: { 'multipart/form-data': { schema: { type: 'object' } } } } },
    ),
    testProvider: documented(
      'Test a provider with a bundled sample portrait; costs the same as a task of a generation',
      respondsWith(200, 'The result or the error', schemas.providerTestView),
    ),
    listModels: documented(
      'List installable models with their licences and download progress',
      respondsWith(200, 'The models', schemas.modelList),
    ),
    installModel: documented('Install a model in the background', respondsWith(202, 'The models', schemas.modelList)),
    removeModel: documented('Remove a model', respondsWith(204, 'Deleted')),
    select: documented('Select the object at given points of a small picture, if the server has a model for it', {
      200: {
        description: "A greyscale PNG of the picture's size, white where the object is",
        content: { 'image/png': { schema: picture as Schema } },
      },
    }),
    listProviders: documented(
      'List providers with their status and latest error',
      respondsWith(200, 'The providers', schemas.providerList),
    ),
    listTasks: documented(
      'List provider tasks and the order of their providers',
      respondsWith(200, 'The tasks', schemas.taskList),
    ),
    setTaskOrder: documented('Set the order of providers for a task', respondsWith(200, 'The tasks', schemas.taskList)),
    listProviderSettings: documented(
      'List models, budgets and costs of the hosted providers',
      respondsWith(200, 'The settings', schemas.providerSettingsList),
    ),
    setProviderSettings: documented(
      'Set models and budgets of a hosted provider',
      respondsWith(200, 'The settings', schemas.providerSettingsList),
    ),
    providerWebhook: documented('Receive a signed webhook of a hosted provider', {
      200: { description: 'Received' },
    }),
    listToolSettings: documented(
      'List tool settings and the providers for their tasks',
      respondsWith(200, 'The settings', schemas.toolSettingsList),
    ),
    setToolSettings: documented(
      "Update a tool's settings: availability, message to users and providers",
      respondsWith(200, 'The settings', schemas.toolSettingsList),
    ),
    runAgain: documented('Run a failed generation again, free of charge', { 204: { description: 'Queued' } }),
    refundRequestPicture: documented(
      'Serve a picture of an open refund request; each view is recorded in the audit log',
      {
        200: { description: 'The picture', content: { 'image/*': { schema: picture as Schema } } },
      },
    ),
    file: documented(
      'Serve a stored file by its signed address; supports range requests',
      { 200: { description: 'The file', content: { 'image/*': { schema: picture as Schema } } } },
      {
        security: [],
      },
    ),
  }
}
