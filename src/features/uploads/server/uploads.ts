import { safeName, safeStem } from './file-name.ts'
import { storeChecked } from './finish-upload.ts'
import { hashFile } from './hash-file.ts'
import { uploadMetrics } from './metrics.ts'
import { moveFiles } from './move-files.ts'
import { parseForm, requireForm } from './parse-form.ts'
import { personalData } from './personal-data.ts'
import { markUploadsUsed, requireReadyUpload } from './ready-upload.ts'
import { receiveForm, saveFormFile } from './receive-form.ts'
import { workUploads } from './retention.ts'
import { requireSpace } from './storage-allowance.ts'
import { announceFiles, dropFiles, keepFiles } from './stored-files.ts'

export type { StoredInput } from './ready-upload.ts'

/** Of a route that receives a form with files. */
export const formErrors = [
  'params.invalid',
  'request.content_type',
  'upload.too_large',
  'upload.too_many',
  'upload.empty',
  'upload.limit',
  'upload.no_space',
] as const

export const uploads = {
  announceFiles,
  dropFiles,
  hashFile,
  keepFiles,
  metrics: uploadMetrics,
  moveFiles,
  markUploadsUsed,
  parseForm,
  personalData,
  receiveForm,
  requireForm,
  requireSpace,
  safeName,
  safeStem,
  saveFormFile,
  storeChecked,
  requireReadyUpload,
  work: workUploads,
}
