/** Longest reason in characters that staff give for a change. */
export const reasonMax = 500
