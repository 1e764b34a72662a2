import { auditGenerations } from './audit-generations.ts'
import { generationEvents } from './events.ts'
import { generationMetrics } from './metrics.ts'
import { personalData } from './personal-data.ts'
import { decideRefundRequest } from './request-refund.ts'
import { takeFiles } from './take-files.ts'
import { thumbnailsOf } from './thumbnails.ts'
import { listWaitingRefundRequests } from './waiting-refund-requests.ts'
import { workGenerations } from './work-generations.ts'

/** What other features and the server may do with generations. */
export const generations = {
  auditGenerations,
  decideRefundRequest,
  events: generationEvents,
  listWaitingRefundRequests,
  metrics: generationMetrics,
  personalData,
  takeFiles,
  thumbnails: thumbnailsOf,
  work: workGenerations,
}
