/** run: start, change and delete generations; read: list and download them; balance: usage. */
export const apiKeyScopes = ['run', 'read', 'balance'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Test keys cost nothing, and their results are marked and small. */
export const apiKeyModes = ['live', 'test'] as const
export type ApiKeyMode = (typeof apiKeyModes)[number]

export const apiKeyPrefix = (mode: ApiKeyMode) => `rupa_${mode}_` as const

/** Calls of one key within a minute. */
export const apiKeyRate = { limit: 120, seconds: 60 } as const

/** Pixels of a test key's results. */
export const testResultMaxPixels = 1_000_000

export const maxApiKeys = 20
export const apiKeyNameMax = 60
