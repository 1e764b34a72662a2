import { duties, roles } from '#contract/roles.ts'
import { type } from '#contract/schema.ts'
import { facts, notice, whole } from '#tools/contract/schemas.ts'
import {
  generationStatuses,
  pictureTasks,
  refundReasonMax,
  refundRequestStatuses,
  selectMaxBytes,
  toolMessageMax,
} from './rules.ts'

const moment = type('string').describe('ISO 8601 in UTC')

const fileFields = {
  id: 'string',
  url: type('string').describe('signed, expires; absolute, or starting with /'),
  name: 'string',
  contentType: 'string',
  width: whole,
  height: whole,
  bytes: whole,
} as const
export const fileView = type(fileFields)
export const inputView = type({ ...fileFields, input: type('string').describe('name of the tool’s input') })
export const outputView = type({
  ...fileFields,
  label: type('string | null').describe('what tells it apart from the others'),
})

const refundRequestFields = {
  status: type.enumerated(...refundRequestStatuses),
  refunded: type(whole).describe('credits that came back'),
} as const
export const refundRequestView = type(refundRequestFields)
/** 201 of POST /api/generations/{id}/claim */
export const refundRequestAnswer = type({ ...refundRequestFields, balance: type(whole).describe('balance after it') })
/** Body of POST /api/generations/{id}/claim */
export const refundRequestInput = type({ reason: type('string.trim').to(`1 <= string <= ${refundReasonMax}`) })

/**
 * A refund request in the form for staff. Staff open its pictures one by one, and each opening is
 * recorded.
 */
export const adminRefundRequest = type({
  id: type('string').describe('the generation’s'),
  user: {
    id: 'string',
    name: 'string',
    email: 'string',
    role: type.enumerated(...roles),
    duty: type.enumerated(...duties).or('null'),
  },
  status: type.enumerated(...refundRequestStatuses),
  tool: 'string',
  credits: whole,
  reason: 'string',
  createdAt: moment,
  answer: type('string | null').describe('what was told the person'),
  decidedBy: type('string | null').describe('the name of the admin who decided; none where it came back at once'),
  refunded: whole,
  files: type({ id: 'string', role: "'input' | 'output'" }).array().describe('while it waits'),
})
export const adminRefundRequestPage = type({ items: adminRefundRequest.array(), nextCursor: 'string | null' })

const generationFields = {
  id: 'string',
  change: type(whole).describe('grows with every change: of two views the one with the larger number is newer'),
  tool: 'string',
  status: type.enumerated(...generationStatuses),
  progress: '0 <= number <= 1',
  position: type('number.integer | null').describe('runs before this one while it is queued'),
  credits: type(whole).describe('credits charged'),
  params: type('object').as<Record<string, unknown>>(),
  provider: type('string').describe('who did the work, e.g. local'),
  warnings: notice.array(),
  error: notice.or('null'),
  facts: facts.describe('what the tool says about the result, e.g. likeness or seed'),
  inputs: inputView.array().describe('in the order of the tool’s inputs'),
  outputs: outputView.array(),
  thumbnailUrl: 'string | null',
  rendering: type({ position: whole, oldest: whole, newest: whole }).describe(
    'which rendering is shown, and which ones there are to go to',
  ),
  refundRequest: refundRequestView.or('null').describe('what became of its owner’s "not good"'),
  createdAt: moment,
  finishedAt: moment.or('null'),
  expiresAt: moment,
} as const
/** A generation in every response and event. */
export const generationView = type(generationFields)
/**
 * 201 of POST /api/generations; the header X-Credits-Charged repeats `credits`. 200 for a repeated
 * Idempotency-Key.
 */
export const generationCreated = type({
  ...generationFields,
  balance: type(whole).describe('balance after the charge'),
})
export const generationPage = type({ items: generationView.array(), nextCursor: 'string | null' })

/** 200 of POST /api/tools/{tool}/preview; the server stores nothing of it. */
export const previewView = type({
  outputs: type({
    label: 'string | null',
    contentType: 'string',
    width: whole,
    height: whole,
    data: type('string').describe('the file, in base64'),
  }).array(),
  warnings: notice.array(),
})
/** 200 of POST /api/admin/tools/{tool}/compare */
export const comparisonView = type({
  outputs: previewView.get('outputs'),
  seconds: 'number',
  failed: type('string | null').describe('why the provider could not do its part'),
})
/** Settings of a tool by admins. */
export const toolSettings = type({
  tool: 'string',
  enabled: 'boolean',
  message: type('string').describe('what people are told while it is off, in Indonesian'),
  messageEn: type('string').describe('the same in English'),
  markRequired: type('boolean | null').describe('whether every result shows the tool’s mark; null where it has none'),
  remoteAllowed: type('boolean | null').describe(
    'whether pictures may go to services outside of this server; null where nobody is there for that',
  ),
})
/** A task for providers, and their order. */
export const task = type({
  task: 'string',
  orders: type({
    tool: type('string | null').describe('null: for all tools without an order of their own'),
    own: type('boolean').describe('whether admins have set it'),
    version: whole,
    providers: type('string[]').describe('in the order in which they are asked; local is the engine itself'),
  }).array(),
})
/** A provider, available or not. */
export const provider = type({
  id: 'string',
  tasks: 'string[]',
  testable: type('string[]').describe('those of them that can be tried with a picture'),
  ok: 'boolean',
  detail: 'string',
  failures: type('number').describe('jobs of the last day that failed'),
  lastError: 'string | null',
  running: type(whole).describe('jobs that it has now'),
  medianSeconds: type('number | null').describe('of the jobs that it did in the last day'),
  spent: type('number').describe('US dollars that its jobs of the last day cost, or are expected to'),
})
/** GET /api/admin/providers */
export const providerList = type({ items: provider.array() })
export const model = type({
  name: 'string',
  title: 'string',
  task: 'string',
  licence: 'string',
  remark: type('string | null').describe('what to know of commercial use'),
  objection: type
    .enumerated('licence', 'checksum', 'source')
    .or('null')
    .describe('why it has to be accepted before it comes, or that it has no source'),
  size: type('number | null').describe('bytes'),
  quality: 'string | null',
  improves: type('string | null').describe('what a recommended model makes better'),
  recommended: 'boolean',
  trustsFirstDownload: type('boolean').describe(
    'the digest of a file is unknown, so the first download is trusted and recorded',
  ),
  installed: 'boolean',
  progress: type('number | null').describe('0 to 1 while it comes'),
  failure: type('string | null').describe('why it did not come'),
})
/** GET /api/admin/models */
export const modelList = type({ items: model.array() })
/** Body of POST /api/admin/models/{name} */
export const modelInput = type({ '+': 'reject', accepted: 'boolean' })
/**
 * Query of GET /api/tools: `schemas=none` omits the JSON Schema of each tool's parameters, which is
 * most of the response.
 */
export const toolsQuery = type({ '+': 'reject', 'schemas?': "'none'" })
/** Body of POST /api/tools/{tool}/params, parsed by the tool's own schema, and its response. */
export const paramsInput = type('object').as<Record<string, unknown>>()
/** Query of POST /api/admin/tools/{tool}/compare */
export const compareQuery = type({ '+': 'reject', provider: 'string <= 100' })
/** Query of POST /api/admin/providers/test */
export const providerTestQuery = type({
  '+': 'reject',
  provider: 'string <= 100',
  task: type.enumerated(...pictureTasks),
})
/** 200 of POST /api/admin/providers/test */
export const providerTestView = type({
  picture: type('string | null').describe('a PNG in base64'),
  seconds: 'number',
  cost: type('number | null').describe('US dollars'),
  failed: 'string | null',
})
/** GET and PUT of /api/admin/tasks */
export const taskList = type({ items: task.array() })
/** Body of PUT /api/admin/tasks/{task}: an order, or null for the default. */
export const taskOrderInput = type({
  '+': 'reject',
  tool: 'string | null',
  providers: 'string[] <= 50 | null',
  version: 'number.integer >= 0',
})
const hostedModel = type({
  '+': 'reject',
  task: type.enumerated(...pictureTasks),
  target: /^[\w.-]+(\/[\w.:-]+){0,5}$/,
  input: type.Record('1 <= string <= 100', {
    '+': 'reject',
    from: "'picture' | 'mask' | 'matte' | 'prompt' | 'seed' | 'width' | 'height' | 'factor' | 'strength' | 'value'",
    'value?': 'string <= 2000 | number | boolean | null',
    'inverted?': 'boolean',
  }),
  output: type(/^[\w.]{0,100}$/).describe('where the address of the picture stands, such as images.0.url'),
  price: type('0 <= number <= 100').describe('US dollars that a run is expected to cost'),
  timeLimit: '10 <= number.integer <= 1800',
})
const providerSettings = {
  enabled: 'boolean',
  budgetDay: type('0 <= number <= 1000000 | null').describe('US dollars; null: no bound'),
  budgetMonth: '0 <= number <= 1000000 | null',
  models: hostedModel.array().atMostLength(50),
  version: 'number.integer >= 0',
} as const
/** Body of PUT /api/admin/provider_settings/{provider}. */
export const providerSettingsInput = type({ '+': 'reject', ...providerSettings })
/** GET and PUT of /api/admin/provider_settings */
export const providerSettingsList = type({
  items: type({ provider: 'string', ...providerSettings, spentDay: 'number', spentMonth: 'number' }).array(),
})
/** Body of POST /api/select: a small picture in base64, and points in its pixels. */
export const selectInput = type({
  '+': 'reject',
  picture: `string <= ${selectMaxBytes}`,
  points: type({ x: 'number >= 0', y: 'number >= 0', keep: 'boolean' }).array().atLeastLength(1).atMostLength(20),
})
/** GET and PATCH of /api/admin/tools */
export const toolSettingsList = type({ items: toolSettings.array() })
const toolMessage = type('string.trim').to(`string <= ${toolMessageMax}`)
/** Body of PATCH /api/admin/tools/{tool} */
export const toolSettingsInput = type({
  '+': 'reject',
  'enabled?': 'boolean',
  'message?': toolMessage,
  'messageEn?': toolMessage,
  'markRequired?': 'boolean',
  'remoteAllowed?': 'boolean',
})
