/** Path of a Chromium; undefined without one. */
export function findChromium(): string | undefined
