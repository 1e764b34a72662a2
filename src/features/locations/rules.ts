/** Characters; `words` of one language together, separated by commas. */
export const locationTexts = { name: 60, words: 600, licence: 120, source: 300 } as const
export const maxWords = 40
export const maxLocations = 100

/** Of a probe in stops. */
export const exposureLimits = { min: -4, max: 4 } as const

/**
 * Days that the file of a removed location stays. Finished results can be rendered again for a
 * shorter time, so that a removal breaks none of them.
 */
export const removedDays = 14
