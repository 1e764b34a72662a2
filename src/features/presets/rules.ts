/** Characters. */
export const presetTexts = { name: 60, note: 300, source: 120 } as const
export const maxPosition = 1000

/** `own` and `this` are reserved in parameters. */
export const presetId = /^(?!(?:own|this)$)[a-z0-9-]{1,40}$/
