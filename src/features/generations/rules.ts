import { isVideoTool, type ToolDefinition } from '#tools/contract/tool.ts'

/**
 * Life of a generation: queued → detecting → generating → one of the last three, which are final.
 */
export const generationStatuses = ['queued', 'detecting', 'generating', 'succeeded', 'failed', 'cancelled'] as const
export type GenerationStatus = (typeof generationStatuses)[number]
export const openStatuses = ['queued', 'detecting', 'generating'] as const satisfies GenerationStatus[]

/** Most renderings of a result kept for undo. */
export const keptRenderings = 50

/** Retention of results and uploads in days. */
export const resultDays = 30
export const inputDays = 7

/** Outcome of a refund request: refunded at once or by an admin, waiting for one, or declined. */
export const refundRequestStatuses = ['refunded', 'waiting', 'declined'] as const

/**
 * Hours after a result in which a refund can be requested, and how many of a user's requests in how
 * many days are refunded at once.
 */
export const refundRequestHours = 24
export const maxInstantRefunds = 3
export const instantRefundDays = 30
/** Longest message in characters about a switched-off tool. */
export const toolMessageMax = 300
/** Longest reason of a refund request in characters. */
export const refundReasonMax = 500

/** Bytes in base64 of a picture for tap selection. */
export const selectMaxBytes = 800_000

/** Total bytes of the files of a visitor's preview. */
export const previewMaxBytes = 3 * 1024 * 1024

/** True if visitors may try a tool: not with face consent, nor for long generations. */
export function hasPreview({
  needsConsent,
  unlisted,
  inputs,
}: Pick<ToolDefinition<unknown>, 'needsConsent' | 'unlisted' | 'inputs'>): boolean {
  return !needsConsent && !unlisted && !isVideoTool({ inputs })
}

/** Tasks whose result is one picture: hosted services may do them, and admins can try them. */
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
