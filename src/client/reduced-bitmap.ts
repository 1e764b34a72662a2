let last: { of: Blob; bitmap: ImageBitmap } | undefined

/**
 * Keeps a reduced bitmap of the picture that was decoded last, so that nobody who needs it small
 * decodes millions of pixels again.
 */
export function keepReducedBitmap(of: Blob, bitmap: ImageBitmap): void {
  last?.bitmap.close()
  last = { of, bitmap }
}

/** The reduced bitmap of a picture, where it is the last one; not to be closed. */
export const reducedBitmapOf = (picture: Blob): ImageBitmap | undefined =>
  last?.of === picture ? last.bitmap : undefined
