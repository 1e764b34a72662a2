/**
 * How hard brotli tries at what the build makes, 0 to 11: every phone loads it, and it is made
 * once.
 */
export const brotliQuality = 11
