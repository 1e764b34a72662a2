// What other features' screens may use of the upload queue.
export { memoryNote, useMemoryNote } from './memory-note.ts'
export { SignOutQuestion } from './sign-out-question.tsx'
export { Tray } from './tray.tsx'
export { useUpload, useUploads, waitingUploads } from './upload-list.ts'
export {
  cancelUpload,
  confirmUpload,
  consentToUpload,
  dismissUpload,
  enqueueGeneration,
  onUploadSent,
  readUploads,
  retryUpload,
} from './upload-queue.ts'
