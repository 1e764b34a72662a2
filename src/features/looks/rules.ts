/** A data URL of about 500 KB. */
export const logoMaxCharacters = 700_000

export const lookNameMax = 40
export const maxLooks = 100
