let last: { of: Blob; copy: ImageBitmap } | undefined

/**
 * Keeps a small copy of the picture that was decoded last, so that nobody who needs it small
 * decodes millions of pixels again.
 */
export function keepSmallCopy(of: Blob, copy: ImageBitmap): void {
  last?.copy.close()
  last = { of, copy }
}

/** The small copy of a picture, where it is the last one; not to be closed. */
export const smallCopyOf = (picture: Blob): ImageBitmap | undefined => (last?.of === picture ? last.copy : undefined)
