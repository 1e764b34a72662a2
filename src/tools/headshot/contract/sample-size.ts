/** Pixels of the small pictures in which backdrops are shown. */
export const sampleSize = { width: 84, height: 112 }
