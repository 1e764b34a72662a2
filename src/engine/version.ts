/**
 * Version of the pictures that the engine makes, as year and month. It changes whenever the same
 * input may give other pixels; callers of the API may insist on it.
 */
export const engineVersion = '2026-11'
