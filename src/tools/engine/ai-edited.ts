import type { PictureEncoding } from '#engine/image/picture.ts'

/** Metadata label of a picture partly made by a trained model. */
export const aiEdited = {
  source: 'compositeWithTrainedAlgorithmicMedia',
} as const satisfies PictureEncoding['metadata']

/** Of a capture joined with a photographed background. */
export const joinedCaptures = { source: 'compositeCapture' } as const satisfies PictureEncoding['metadata']
