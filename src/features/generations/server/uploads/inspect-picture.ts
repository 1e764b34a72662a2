import { imageLimits } from '#contract/media.ts'
import { AppError } from '#server/http/app-error.ts'
import { avifFacts, heifCoding } from './avif-facts.ts'
import { jpegFacts } from './jpeg-facts.ts'
import { BrokenPicture, fourLetters, type PictureFacts } from './picture-facts.ts'
import { pngFacts } from './png-facts.ts'
import { webpFacts } from './webp-facts.ts'

/** An upload that may go to the engine. */
export interface InspectedPicture {
  contentType: PictureFacts['contentType']
  /** Pixels of the upright picture. */
  width: number
  height: number
  /** The picture and nothing behind it. */
  bytes: Uint8Array
}

/**
 * Judges an uploaded picture by its content, without decoding it: what it is, whether it is whole, how large it is. Throws the AppError to answer with,
 * naming the form's field.
 */
export function inspectPicture(bytes: Uint8Array, field: string): InspectedPicture {
  const refuse = (code: ConstructorParameters<typeof AppError>[0], why: string) =>
    new AppError(code, { details: { [field]: why } })
  if (bytes.length === 0) throw refuse('upload.empty', 'empty')
  if (bytes.length > imageLimits.bytes) throw refuse('upload.too_large', `at most ${imageLimits.bytes} bytes`)

  let facts: PictureFacts
  try {
    const read = readerOf(bytes)
    if (read === 'heic') throw refuse('upload.unreadable', 'HEIC cannot be read here; JPEG, PNG, WebP and AVIF can')
    if (!read) throw refuse('upload.not_image', 'not a JPEG, PNG, WebP or AVIF picture')
    facts = read(bytes)
  } catch (error) {
    if (error instanceof BrokenPicture) throw refuse('upload.unreadable', error.message)
    // A length that points outside the file.
    if (error instanceof RangeError) throw refuse('upload.unreadable', 'the file is cut off')
    throw error
  }
  if (facts.animated) throw refuse('upload.animated', 'animated')
  if (facts.width === 0 || facts.height === 0) throw refuse('upload.unreadable', 'the size is missing')
  if (facts.width * facts.height > imageLimits.pixels) {
    throw refuse('upload.too_many_pixels', `${facts.width} × ${facts.height}; at most ${imageLimits.pixels} pixels`)
  }
  if (Math.min(facts.width, facts.height) < imageLimits.minSide) {
    throw refuse('upload.too_small', `${facts.width} × ${facts.height}; at least ${imageLimits.minSide} pixels a side`)
  }
  if (hidesSomething(bytes.subarray(facts.end)))
    throw refuse('upload.not_image', 'another file hides behind the picture')

  const turned = facts.orientation >= 5
  return {
    contentType: facts.contentType,
    width: turned ? facts.height : facts.width,
    height: turned ? facts.width : facts.height,
    bytes: bytes.subarray(0, facts.end),
  }
}

function readerOf(bytes: Uint8Array): ((bytes: Uint8Array) => PictureFacts) | 'heic' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return jpegFacts
  if (fourLetters(bytes, 0) === '\x89PNG' && fourLetters(bytes, 4) === '\r\n\x1a\n') return pngFacts
  if (fourLetters(bytes, 0) === 'RIFF' && fourLetters(bytes, 8) === 'WEBP') return webpFacts
  const heif = heifCoding(bytes)
  return heif === 'avif' ? avifFacts : heif
}

const endOfZip = Buffer.from('PK\x05\x06', 'latin1')
const longestZipTail = 65_557

/**
 * Phones append their own data to pictures (motion photos, depth maps); that is dropped in silence. A page, script, document or archive behind a picture
 * is there for another reader than us.
 */
function hidesSomething(rest: Uint8Array): boolean {
  if (rest.length < 4) return false
  const tail = Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength)
  const start = tail.toString('latin1', 0, 1024)
  if (/^\s*(<|%PDF-|PK|Rar!|MZ|.ELF|#!)/.test(start)) return true
  if (/<(script|html|svg|\?php|!doctype)/i.test(tail.toString('latin1'))) return true
  const zip = tail.lastIndexOf(endOfZip)
  return zip >= 0 && zip >= tail.length - longestZipTail
}
