import { isVideoTool, type ToolDefinition } from '#tools/contract/tool.ts'

/** queued → detecting → generating → one of the last three, which are final. */
export const generationStatuses = ['queued', 'detecting', 'generating', 'succeeded', 'failed', 'cancelled'] as const
export type GenerationStatus = (typeof generationStatuses)[number]
export const openStatuses = ['queued', 'detecting', 'generating'] as const satisfies GenerationStatus[]
export const isOpenStatus = (status: string): status is (typeof openStatuses)[number] =>
  openStatuses.some((open) => open === status)

export const keptRenderings = 50

/** Retention of results and uploads in days. */
export const resultDays = 30
export const inputDays = 7

/** `refunded`: at once or by an admin. */
export const refundRequestStatuses = ['refunded', 'waiting', 'declined'] as const

/**
 * Hours after a result for a request, and refunds granted at once to a user within a number of
 * days.
 */
export const refundRequestHours = 24
export const maxInstantRefunds = 3
export const instantRefundDays = 30
export const toolMessageMax = 300
export const refundReasonMax = 500

/** Base64 characters. */
export const selectMaxBytes = 800_000

export const previewMaxBytes = 3 * 1024 * 1024

/** Tools with face consent and long generations have none. */
export function hasPreview({
  needsConsent,
  unlisted,
  inputs,
}: Pick<ToolDefinition<unknown>, 'needsConsent' | 'unlisted' | 'inputs'>): boolean {
  return !needsConsent && !unlisted && !isVideoTool({ inputs })
}

/** Hosted services may do these tasks, and admins can try them. */
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

/** Browsers display these, unlike print sheets and camera formats. */
const shown = ['image/jpeg', 'image/png', 'image/webp', 'video/mp4', 'video/webm']

export const isShareable = ({ contentType }: { contentType: string }) => shown.includes(contentType)
