import { imageLimits } from '#contract/media.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { AppError } from '#server/http/app-error.ts'

/** An upload that may go to the engine. */
export interface InspectedPicture {
  contentType: string
  /** Pixels of the upright picture. */
  width: number
  height: number
  /** The picture without metadata about its owner, and nothing behind it. */
  bytes: Uint8Array
}

/** Judges a picture of a form; throws the AppError to return, naming the form's field. */
export function inspectPicture(bytes: Uint8Array, field: string): InspectedPicture {
  if (bytes.length > imageLimits.bytes)
    throw new AppError('upload.too_large', { details: { [field]: 'upload.too_large' } })
  try {
    const { parts, ...facts } = uploads.inspectPicture(bytes)
    return { ...facts, bytes: Buffer.concat(parts) }
  } catch (error) {
    if (!(error instanceof uploads.RefusedPicture)) throw error
    throw new AppError(error.code, { details: { [field]: error.code } })
  }
}
