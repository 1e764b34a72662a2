import { safeName, safeStem } from './file-name.ts'
import { addReferences, dropReferences } from './file-references.ts'
import { checkStored } from './finish-upload.ts'
import { hashFile } from './hash-file.ts'
import { uploadMetrics } from './metrics.ts'
import { parseForm, requireForm } from './parse-form.ts'
import { personalData } from './personal-data.ts'
import { receiveForm } from './receive-form.ts'
import { workUploads } from './retention.ts'
import { requireSpace } from './storage-allowance.ts'
import { noteUse, take } from './take.ts'

export type { StoredInput } from './take.ts'

/** What other features and the server may do with uploads. */
export const uploads = {
  addReferences,
  dropReferences,
  hashFile,
  checkStored,
  metrics: uploadMetrics,
  noteUse,
  parseForm,
  personalData,
  receiveForm,
  requireForm,
  requireSpace,
  safeName,
  safeStem,
  take,
  work: workUploads,
}
