/** Longest name of a look in characters, and how many somebody can keep. */
export const lookNameMax = 40
export const maxLooks = 100
