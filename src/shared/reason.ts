/** In characters. */
export const reasonMaxLength = 500
