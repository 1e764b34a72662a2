import { auditGenerations } from './admin-sources.ts'
import { takeFiles } from './execution/accept-request.ts'
import { awaitEnd } from './execution/await-job.ts'
import { createGeneration } from './execution/create-generation.ts'
import { type Caller, requireNewRequestAllowed, withGenerationRequest } from './execution/read-request.ts'
import { linkPictureOf } from './files/link-picture.ts'
import { makeThumbnail, thumbnailsOf } from './files/make-thumbnail.ts'
import { contentDisposition, type Patch, sendFile } from './files/send-file.ts'
import { cancelGeneration, findGeneration } from './history/own-generations.ts'
import { type Generation, generationView } from './history/views.ts'
import { assignRefundRequest, listRefundRequests } from './refunds/refund-requests.ts'
import { decideRefundRequest } from './refunds/request-refund.ts'
import { refuseUnsafePictures } from './tasks/refuse-unsafe.ts'
import { listTools } from './tools.ts'

export type { Caller, Generation, Patch }

export const generations = {
  assignRefundRequest,
  auditGenerations,
  awaitEnd,
  cancel: cancelGeneration,
  create: createGeneration,
  contentDisposition,
  decideRefundRequest,
  find: findGeneration,
  linkPicture: linkPictureOf,
  listRefundRequests,
  listTools,
  makeThumbnail,
  refuseUnsafePictures,
  requireNewRequestAllowed,
  sendFile,
  takeFiles,
  thumbnails: thumbnailsOf,
  view: generationView,
  withRequest: withGenerationRequest,
}
