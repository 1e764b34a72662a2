import type { ContentWithResolver, DescribeRouteOptions } from 'hono-openapi'
import type { ToolRegistry } from '#tools/contract/tool.ts'
import { paramsDocument } from './tools/list-tools.ts'

type Schema = Exclude<NonNullable<ContentWithResolver[string]['schema']>, { $ref: string }>

const whole = { type: 'integer', minimum: 0 }
const picture = { type: 'string', format: 'binary' }

function object(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) }
}

const inputRef = {
  title: 'input-reference',
  oneOf: [
    object({ upload: { type: 'string', format: 'uuid', description: 'an upload of your own' } }),
    object({ file: { type: 'string', format: 'uuid', description: 'an output of one of your earlier generations' } }),
    object({ url: { type: 'string', format: 'uri', description: 'a public address; with an API key only' } }),
  ],
}

const exampleParams = { background: { type: 'color', color: '#ffffff' }, format: 'jpeg' }
const exampleInputs = { picture: [{ url: 'https://example.com/photo.jpg' }] }

/**
 * JSON whose inputs name uploads and earlier results, or a form with files under the inputs' names.
 */
function generationBody(
  tools: ToolRegistry,
  fields: Record<string, object>,
  required: string[],
  example: object,
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
      'application/json': { schema: json as Schema, example: { ...example, inputs: exampleInputs } },
      'multipart/form-data': {
        schema: form as Schema,
        encoding: { params: { contentType: 'application/json' } },
        example,
      },
    },
  }
}

export function generationDocuments(tools: ToolRegistry) {
  const ids = Object.keys(tools)
  const params = {
    // Delays this work until a client requests the document.
    get anyOf() {
      return Object.values(tools).map((tool) => ({ title: `${tool.id}-params`, ...paramsDocument(tool) }))
    },
  }
  const expectedCredits = { ...whole, description: 'rejects with credits.price_changed if the price differs' }
  const creation = { tool: { type: 'string', enum: ids }, params, expected_credits: expectedCredits }
  return {
    createBody: generationBody(tools, creation, ['tool'], { tool: 'background-removal', params: exampleParams }),
    body: (required: string[]) => generationBody(tools, { params }, required, { params: exampleParams }),
    optionsBody: { content: { 'application/json': { schema: params as Schema } } },
  }
}
