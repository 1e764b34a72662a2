/** Seconds from the beginning that the free preview shows. */
export const previewSeconds = 3
