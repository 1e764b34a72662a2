import { assignmentFields } from '#features/assignments/schemas.ts'
import { fromMoment, untilMoment } from '#shared/date-input.ts'
import { pageCursor, pageSize } from '#shared/paging.ts'
import { isoDateTime, personFields, type } from '#shared/schema.ts'
import { facts, notice, whole } from '#tools/contract/schemas.ts'
import type { Facts } from '#tools/contract/tool.ts'
import {
  generationStatuses,
  pictureTasks,
  refundReasonMax,
  refundRequestStatuses,
  selectMaxBytes,
  toolMessageMax,
} from './rules.ts'

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
  label: type('string | null').describe('tells several outputs apart: sticker, print, or the number of a variant'),
})
export type OutputView = typeof outputView.infer

const refundRequestFields = {
  status: type.enumerated(...refundRequestStatuses),
  refunded: type(whole).describe('refunded credits'),
} as const
export const refundRequestView = type(refundRequestFields)
export type RefundRequestView = typeof refundRequestView.infer
export const refundRequestAnswer = type({
  ...refundRequestFields,
  balance: type(whole).describe('balance after this entry'),
})
export type RefundRequestAnswer = typeof refundRequestAnswer.infer
export const refundRequestInput = type({
  reason: type('string.trim').to(`1 <= string <= ${refundReasonMax}`),
}).configure({ examples: [{ reason: 'The left sleeve is missing' }] })

/** Staff open its pictures one by one, and each opening is recorded. */
export const adminRefundRequest = type({
  id: type('string').describe('id of the generation'),
  user: personFields,
  status: type.enumerated(...refundRequestStatuses),
  tool: 'string',
  credits: whole,
  reason: 'string',
  createdAt: isoDateTime,
  answer: type('string | null').describe('message sent to the user'),
  decidedBy: type('string | null').describe('name of the admin who decided; empty for instant refunds'),
  refunded: whole,
  files: type({ id: 'string', role: "'input' | 'output'" }).array().describe('while waiting'),
  ...assignmentFields,
})
export type AdminRefundRequest = typeof adminRefundRequest.infer
export const adminRefundRequestPage = type({ items: adminRefundRequest.array(), nextCursor: 'string | null' })

const generationFields = {
  id: 'string',
  change: type(whole).describe('increases with every change; the view with the larger number is newer'),
  tool: 'string',
  status: type.enumerated(...generationStatuses),
  progress: '0 <= number <= 1',
  position: type('number.integer | null').describe('generations ahead of this one while it is queued'),
  credits: type(whole).describe('credits charged'),
  test: type('boolean').describe('made with a test key: free, marked and small'),
  engineVersion: type('string | null').describe('engine that made it; null for results of earlier versions'),
  params: type('object').as<Record<string, unknown>>(),
  provider: type('string').describe('provider that did the work, such as local'),
  warnings: notice.array(),
  error: type(notice, '&', {
    'repeated?': type('boolean').describe('the same request has failed like this before'),
  }).or('null'),
  facts: facts.describe("the tool's data about the result, such as likeness or seed"),
  inputs: inputView.array().describe('in the order of the tool’s inputs'),
  outputs: outputView.array(),
  thumbnailUrl: 'string | null',
  rendering: type({ position: whole, oldest: whole, newest: whole }).describe(
    'current rendering and the range of available ones',
  ),
  refundRequest: refundRequestView.or('null').describe('outcome of the refund request'),
  createdAt: isoDateTime,
  finishedAt: isoDateTime.or('null'),
  expiresAt: isoDateTime,
} as const
export const generationView = type(generationFields)
/** The header X-Credits-Charged repeats `credits`. A repeated Idempotency-Key gets 200, not 201. */
export const generationCreated = type({
  ...generationFields,
  balance: type(whole).describe('balance after the charge'),
})
export const generationPage = type({ items: generationView.array(), nextCursor: 'string | null' })

/** The server stores nothing of it. */
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
export type PreviewView = typeof previewView.infer
export const comparisonView = type({
  outputs: previewView.get('outputs'),
  seconds: 'number',
  failed: type('string | null').describe('provider error'),
})
export type ComparisonView = typeof comparisonView.infer
export const toolSettings = type({
  tool: 'string',
  enabled: 'boolean',
  message: type('string').describe('message in Indonesian while the tool is off'),
  messageEn: type('string').describe('the same in English'),
  markRequired: type('boolean').describe('every result carries the visible AI label'),
  remoteAllowed: type('boolean | null').describe(
    'pictures may be sent to outside services; null if none is configured',
  ),
})
export type ToolSettingsView = typeof toolSettings.infer
export const task = type({
  task: 'string',
  orders: type({
    tool: type('string | null').describe('null: applies to all tools without their own order'),
    own: type('boolean').describe('set by admins'),
    version: whole,
    providers: type('string[]').describe('in order of use; local is the built-in engine'),
  }).array(),
})
export type TaskView = typeof task.infer
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
export type ProviderView = typeof provider.infer
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
export type ModelView = typeof model.infer
export const modelList = type({ items: model.array() })
export const modelInput = type({ '+': 'reject', accepted: 'boolean' })
/**
 * `schemas=none` omits the JSON Schema of each tool's parameters, which is most of the response.
 */
export const toolsQuery = type({ '+': 'reject', 'schemas?': "'none'" })
/** Parsed by the tool's own schema. */
export const paramsInput = type('object')
  .as<Record<string, unknown>>()
  .configure({ examples: [{ background: { type: 'color', color: '#ffffff' }, format: 'jpeg' }] })
export const compareQuery = type({ '+': 'reject', provider: 'string <= 100' })
export const providerTestQuery = type({
  '+': 'reject',
  provider: 'string <= 100',
  task: type.enumerated(...pictureTasks),
})
export const providerTestView = type({
  picture: type('string | null').describe('a PNG in base64'),
  seconds: 'number',
  cost: type('number | null').describe('US dollars'),
  failed: 'string | null',
})
export type ProviderTestView = typeof providerTestView.infer
export const taskList = type({ items: task.array() })
/** Null restores the default order. */
export const taskOrderInput = type({
  '+': 'reject',
  tool: 'string | null',
  providers: 'string[] <= 50 | null',
  version: 'number.integer >= 0',
})
export type TaskOrderInput = typeof taskOrderInput.infer
const hostedModel = type({
  '+': 'reject',
  task: type.enumerated(...pictureTasks),
  target: /^[\w.-]+(\/[\w.:-]+){0,5}$/,
  input: type.Record('1 <= string <= 100', {
    '+': 'reject',
    from: "'picture' | 'mask' | 'matte' | 'reference' | 'prompt' | 'seed' | 'width' | 'height' | 'factor' | 'strength' | 'value'",
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
export const providerSettingsInput = type({ '+': 'reject', ...providerSettings })
export type ProviderSettingsInput = typeof providerSettingsInput.infer
export const providerSettingsList = type({
  items: type({ provider: 'string', ...providerSettings, spentDay: 'number', spentMonth: 'number' }).array(),
})
export type ProviderSettingsView = (typeof providerSettingsList.infer)['items'][number]
/** A small picture, and points in its pixels. */
export const selectInput = type({
  '+': 'reject',
  picture: `string <= ${selectMaxBytes}`,
  points: type({ x: 'number >= 0', y: 'number >= 0', keep: 'boolean' }).array().atLeastLength(1).atMostLength(20),
})
export const toolSettingsList = type({ items: toolSettings.array() })
const toolMessage = type('string.trim').to(`string <= ${toolMessageMax}`)
export const toolSettingsInput = type({
  '+': 'reject',
  'enabled?': 'boolean',
  'message?': toolMessage,
  'messageEn?': toolMessage,
  'markRequired?': 'boolean',
  'remoteAllowed?': 'boolean',
})
export type ToolSettingsInput = typeof toolSettingsInput.infer

type WithFacts<View> = Omit<View, 'facts'> & { facts: Facts }

/** The address is signed and expires. */
export type FileView = typeof fileView.infer

export type GenerationView = WithFacts<typeof generationView.infer>

export type GenerationCreated = WithFacts<typeof generationCreated.infer>

declare module '#features/events/types.ts' {
  interface ServerEvents {
    generation: GenerationView
  }
}

export const failuresSchema = type({
  items: type({
    id: 'string',
    userId: 'string',
    code: 'string',
    msg: 'string',
    provider: 'string',
    attempts: 'number.integer >= 0',
    finishedAt: 'string | null',
    again: type('boolean').describe('can be run again: its inputs still exist and it has not been run again before'),
  }).array(),
})
export type Failures = typeof failuresSchema.infer

export const listGenerationsInput = type({
  'cursor?': pageCursor,
  'tool?': 'string <= 100',
  'status?': type.enumerated(...generationStatuses),
  'from?': fromMoment,
  'to?': untilMoment,
  'search?': type('string <= 100').describe('words in names of its files'),
  'named?': type('string <= 1000').describe('ids of tools, separated by commas, whose generations match `search` too'),
  'limit?': pageSize,
})
