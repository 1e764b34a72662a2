/** Longest texts in characters, and the last position in the list. */
export const presetTexts = { name: 60, note: 300, source: 120 } as const
export const maxPosition = 1000

/** Format of preset ids. `own` and `this` are reserved in parameters. */
export const presetId = /^(?!(?:own|this)$)[a-z0-9-]{1,40}$/
