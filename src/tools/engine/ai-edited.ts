import type { PictureEncoding } from '#engine/image/picture.ts'

/** The mark of a picture in which a trained model has made something. */
export const aiEdited = {
  source: 'compositeWithTrainedAlgorithmicMedia',
} as const satisfies PictureEncoding['metadata']
