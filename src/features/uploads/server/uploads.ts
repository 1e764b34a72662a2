import { createHash } from 'node:crypto'
import type { FileStore } from '#server/storage/store.ts'
import { markUploadsUsed, requireReadyUpload, safeName, safeStem, storeChecked } from './finish-upload.ts'
import { parseForm, requireForm } from './parse-form.ts'
import { receiveAddresses, receiveForm, saveFormFile } from './receive-form.ts'
import { announceFiles, dropFiles, dropUploadsOf, keepFiles, requireSpace } from './stored-files.ts'

export type { StoredInput } from './finish-upload.ts'

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

/** The document of a form, with the JSON schemas of its fields. */
export const formBody = (fields: { properties?: Record<string, object>; required?: string[] } = {}) => ({
  required: true,
  content: { 'multipart/form-data': { schema: { type: 'object' as const, ...fields } } },
})

export const uploads = {
  announceFiles,
  dropFiles,
  dropUploadsOf,
  hashFile,
  keepFiles,
  markUploadsUsed,
  parseForm,
  receiveAddresses,
  receiveForm,
  requireForm,
  requireSpace,
  safeName,
  safeStem,
  saveFormFile,
  storeChecked,
  requireReadyUpload,
}

/** Hashes the file without holding it in memory. */
async function hashFile(store: Pick<FileStore, 'stream'>, key: string): Promise<string> {
  const hash = createHash('sha256')
  const { body } = await store.stream(key)
  for await (const chunk of body) hash.update(chunk)
  return hash.digest('hex')
}
