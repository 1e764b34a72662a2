let last: { of: Blob; bitmap: ImageBitmap } | undefined

/**
 * Keeps a reduced bitmap of the last decoded picture, so that its other users do not decode
 * millions of pixels again.
 */
export function keepReducedBitmap(of: Blob, bitmap: ImageBitmap): void {
  last?.bitmap.close()
  last = { of, bitmap }
}

/** The reduced bitmap if this is the last picture; the caller must not close it. */
export const reducedBitmapOf = (picture: Blob): ImageBitmap | undefined =>
  last?.of === picture ? last.bitmap : undefined
