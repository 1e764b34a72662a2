export type { NewFile, NewJob, UploadItem, UploadState } from '#upload-queue/store.ts'
export { cancelUpload, dismissUpload, type PrepareFile } from './queue.ts'
export { OpenQueueButton } from './queue-archive-buttons.tsx'
export { enqueue, uploadEarly } from './send-uploads.ts'
export { UploadListButton, UploadListSheet } from './upload-list.tsx'
export { useUploadStatus } from './upload-status.tsx'
export {
  type Job,
  jobsAtom,
  memoryNote,
  needsUserAction,
  useJob,
  useJobs,
  useMemoryNote,
  useUploads,
  waitingUploads,
} from './use-job.ts'
export { type JobOutcome, usePreloadSending, useSendJob } from './use-send-job.ts'
