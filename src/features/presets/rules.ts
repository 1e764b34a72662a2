/** Longest texts in characters, and the last place in the list. */
export const presetTexts = { name: 60, note: 300, source: 120 } as const
export const maxPosition = 1000

/** What ids of presets look like. `own` and `this` mean something else in parameters. */
export const presetId = /^(?!(?:own|this)$)[a-z0-9-]{1,40}$/
