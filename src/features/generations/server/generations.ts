import { auditGenerations } from './audit-generations.ts'
import { takeFiles } from './execution/accept-request.ts'
import { linkPictureOf } from './files/link-picture.ts'
import { makeThumbnail, thumbnailsOf } from './files/make-thumbnail.ts'
import { type Patch, sendFile } from './files/send-file.ts'
import { listRefundRequests } from './refunds/refund-requests.ts'
import { decideRefundRequest } from './refunds/request-refund.ts'

export type { Patch }

export const generations = {
  auditGenerations,
  decideRefundRequest,
  linkPicture: linkPictureOf,
  listRefundRequests,
  makeThumbnail,
  sendFile,
  takeFiles,
  thumbnails: thumbnailsOf,
}
