let last: { of: Blob; bitmap: ImageBitmap } | undefined

/** Spares other users of the last decoded picture decoding millions of pixels again. */
export function cacheReducedBitmap(of: Blob, bitmap: ImageBitmap): void {
  last?.bitmap.close()
  last = { of, bitmap }
}

/** The caller must not close it. */
export const reducedBitmapOf = (picture: Blob): ImageBitmap | undefined =>
  last?.of === picture ? last.bitmap : undefined
