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
  label: type('string | null').describe('fingerprint of the error'),
})

const refundRequestFields = {
  status: type.enumerated(...refundRequestStatuses),
  refunded: type(whole).describe('refunded credits'),
} as const
export const refundRequestView = type(refundRequestFields)
/** 201 of POST /api/generations/{id}/claim */
export const refundRequestAnswer = type({
  ...refundRequestFields,
  balance: type(whole).describe('balance after this entry'),
})
/** Body of POST /api/generations/{id}/claim */
export const refundRequestInput = type({ reason: type('string.trim').to(`1 <= string <= ${refundReasonMax}`) })

/**
 * A refund request in the form for staff. Staff open its pictures one by one, and each opening is
 * recorded.
 */
export const adminRefundRequest = type({
  id: type('string').describe('id of the generation'),
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
  answer: type('string | null').describe('message sent to the user'),
  decidedBy: type('string | null').describe('name of the admin who decided; empty for instant refunds'),
  refunded: whole,
  files: type({ id: 'string', role: "'input' | 'output'" }).array().describe('while waiting'),
})
export const adminRefundRequestPage = type({ items: adminRefundRequest.array(), nextCursor: 'string | null' })

const generationFields = {
  id: 'string',
  change: type(whole).describe('increases with every change; the view with the larger number is newer'),
  tool: 'string',
  status: type.enumerated(...generationStatuses),
  progress: '0 <= number <= 1',
  position: type('number.integer | null').describe('generations ahead of this one while it is queued'),
  credits: type(whole).describe('credits charged'),
  params: type('object').as<Record<string, unknown>>(),
  provider: type('string').describe('provider that did the work, such as local'),
  warnings: notice.array(),
  error: notice.or('null'),
  facts: facts.describe("the tool's data about the result, such as likeness or seed"),
  inputs: inputView.array().describe('in the order of the tool’s inputs'),
  outputs: outputView.array(),
  thumbnailUrl: 'string | null',
  rendering: type({ position: whole, oldest: whole, newest: whole }).describe(
    'current rendering and the range of available ones',
  ),
  refundRequest: refundRequestView.or('null').describe('outcome of the refund request'),
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
  failed: type('string | null').describe('provider error'),
})
/** Settings of a tool by admins. */
export const toolSettings = type({
  tool: 'string',
  enabled: 'boolean',
  message: type('string').describe('message in Indonesian while the tool is off'),
  messageEn: type('string').describe('the same in English'),
  markRequired: type('boolean | null').describe("every result carries the tool's visible label; null if it has none"),
  remoteAllowed: type('boolean | null').describe(
    'pictures may be sent to outside services; null if none is configured',
  ),
})
/** A task for providers, and their order. */
export const task = type({
  task: 'string',
  orders: type({
    tool: type('string | null').describe('null: applies to all tools without their own order'),
    own: type('boolean').describe('set by admins'),
    version: whole,
    providers: type('string[]').describe('in order of use; local is the built-in engine'),
  }).array(),
})
/** A provider, available or not. */
export const provider = type({
  id: 'string',
  tasks: 'string[]',
  testable: type('string[]').describe('tasks that can be tested with a picture'),
  ok: 'boolean',
  detail: 'string',
  failures: type('number').describe('failed jobs of the last day'),
  lastError: 'string | null',
  running: type(whole).describe('current jobs'),
  medianSeconds: type('number | null').describe('of the jobs finished in the last day'),
  spent: type('number').describe("actual or expected cost of the last day's jobs in US dollars"),
})
/** GET /api/admin/providers */
export const providerList = type({ items: provider.array() })
export const model = type({
  name: 'string',
  title: 'string',
  task: 'string',
  licence: 'string',
  remark: type('string | null').describe('note on commercial use'),
  objection: type
    .enumerated('licence', 'checksum', 'source')
    .or('null')
    .describe('why it must be accepted before installing, or that it has no source'),
  size: type('number | null').describe('bytes'),
  quality: 'string | null',
  improves: type('string | null').describe('improvement by a recommended model'),
  recommended: 'boolean',
  trustsFirstDownload: type('boolean').describe(
    "a file's digest is unknown, so the first download is trusted and its digest recorded",
  ),
  installed: 'boolean',
  progress: type('number | null').describe('download progress from 0 to 1'),
  failure: type('string | null').describe('download error'),
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
  output: type(/^[\w.]{0,100}$/).describe("JSON path of the picture's URL, such as images.0.url"),
  price: type('0 <= number <= 100').describe('expected cost per generation in US dollars'),
  timeLimit: '10 <= number.integer <= 1800',
})
const providerSettings = {
  enabled: 'boolean',
  budgetDay: type('0 <= number <= 1000000 | null').describe('US dollars; null: no limit'),
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
