/** In characters. */
export const reasonMax = 500
