/** Characters of a logo as a data URL: some 500 KB. */
export const logoMaxCharacters = 700_000

/** Longest name of a look in characters, and how many somebody can keep. */
export const lookNameMax = 40
export const maxLooks = 100
