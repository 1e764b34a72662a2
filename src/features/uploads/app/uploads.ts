// What other features' screens may use of the upload queue.
export type { NewFile, NewJob, UploadItem, UploadState } from '../queue/item.ts'
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
export { refusalText } from './refusal-text.ts'
export { uploadEarly } from './send-uploads.ts'
export { SignOutQuestion } from './sign-out-question.tsx'
export { UploadList } from './upload-list.tsx'
export {
  asksPerson,
  type Job,
  memoryNote,
  useJob,
  useJobs,
  useMemoryNote,
  useUploads,
  waitingUploads,
} from './use-job.ts'
export { type JobOutcome, useSendJob } from './use-send-job.ts'
