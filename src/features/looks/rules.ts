/** Characters of a logo as a data URL: about 500 KB. */
export const logoMaxCharacters = 700_000

/** Longest name of a look in characters, and most looks of a user. */
export const lookNameMax = 40
export const maxLooks = 100
