import { generationSummary, generationsDuring, generationTimeline, openCounts } from './admin-sources.ts'
import { auditGenerations } from './audit-generations.ts'
import { generationEvents } from './events.ts'
import { takeFiles } from './execution/accept-request.ts'
import { linkPictureOf } from './files/link-picture.ts'
import { makeThumbnail } from './files/make-thumbnail.ts'
import { type Patch, sendFile } from './files/send-file.ts'
import { thumbnailsOf } from './files/thumbnails.ts'
import { generationMails } from './mails.ts'
import { generationMetrics, queueCheck } from './metrics.ts'
import { personalData } from './personal-data.ts'
import { generationPushes } from './pushes.ts'
import { allQueues as queues } from './queues.ts'
import { listRefundRequests } from './refunds/refund-requests.ts'
import { decideRefundRequest } from './refunds/request-refund.ts'
import { readSettings } from './tasks/provider-settings.ts'
import { workGenerations } from './work-generations.ts'

export type { Patch }

export const generations = {
  auditGenerations,
  decideRefundRequest,
  during: generationsDuring,
  events: generationEvents,
  linkPicture: linkPictureOf,
  listRefundRequests,
  makeThumbnail,
  mails: generationMails,
  metrics: generationMetrics,
  openCounts,
  personalData,
  pushes: generationPushes,
  queueCheck,
  queues,
  readProviderSettings: readSettings,
  sendFile,
  summary: generationSummary,
  takeFiles,
  thumbnails: thumbnailsOf,
  timeline: generationTimeline,
  work: workGenerations,
}
