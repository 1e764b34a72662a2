// What other features' screens may use of the upload queue.
export type { NewFile, NewJob } from '../queue/commands.ts'
export type { UploadItem, UploadState } from '../queue/item.ts'
export { memoryNote, useMemoryNote } from './memory-note.ts'
export {
  cancelUpload,
  confirmUpload,
  consentToUpload,
  dismissUpload,
  enqueue,
  onUploadSent,
  readUploads,
  retryUpload,
} from './queue.ts'
export { uploadEarly } from './send-uploads.ts'
export { SignOutQuestion } from './sign-out-question.tsx'
export { UploadList } from './upload-list.tsx'
export { asksPerson, type Job, useJob, useJobs, useUploads, waitingUploads } from './use-job.ts'
export { type JobOutcome, useSendJob } from './use-send-job.ts'
