/** Longest reason in characters that staff give for what others will feel. */
export const reasonMax = 500
