/** The free preview: seconds from the beginning, and pixels of its longer side. */
export const previewLimits = { seconds: 3, side: 640 } as const
