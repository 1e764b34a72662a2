import { isVideoTool, type ToolDefinition } from '#tools/contract/tool.ts'

/**
 * Life of a generation: queued → detecting → generating → one of the last three, which are final.
 */
export const generationStatuses = ['queued', 'detecting', 'generating', 'succeeded', 'failed', 'cancelled'] as const
export type GenerationStatus = (typeof generationStatuses)[number]
export const openStatuses = ['queued', 'detecting', 'generating'] as const satisfies GenerationStatus[]

/** Renderings of a result that somebody can step through. */
export const keptRenderings = 50

/** Days that results and uploads are kept. */
export const resultDays = 30
export const inputDays = 7

/**
 * What became of a refund request ("not good"): paid back at once or by an admin, waiting for one,
 * or declined.
 */
export const refundRequestStatuses = ['refunded', 'waiting', 'declined'] as const

/**
 * Hours after a result in which a refund can be asked for, and how many of a user's requests in
 * how many days are paid back at once.
 */
export const refundRequestHours = 24
export const maxInstantRefunds = 3
export const instantRefundDays = 30
/** Longest sentence in characters that tells why a tool is off. */
export const toolMessageMax = 300
/** Longest reason of a refund request in characters. */
export const refundReasonMax = 500

/** Bytes of a picture, in base64, in which something is to be selected. */
export const selectMaxBytes = 800_000

/** Bytes of all files of a visitor's preview together. */
export const previewMaxBytes = 3 * 1024 * 1024

/** Whether visitors may try a tool: not where faces need a consent, nor where a run is long. */
export function hasPreview({
  needsConsent,
  unlisted,
  inputs,
}: Pick<ToolDefinition<unknown>, 'needsConsent' | 'unlisted' | 'inputs'>): boolean {
  return !needsConsent && !unlisted && !isVideoTool({ inputs })
}

/** Tasks whose result is one picture: hosted services may do them, and admins try them. */
export const pictureTasks = [
  'subjectMatte',
  'inpaint',
  'upscale',
  'restoreFaces',
  'colorize',
  'background',
  'portrait',
  'outfit',
  'cartoon',
  'edit',
  'restorePhoto',
  'addDetail',
] as const
