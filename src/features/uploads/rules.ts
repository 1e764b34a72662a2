/** receiving: bytes are missing or unchecked. Refused uploads are deleted. */
export const uploadStatuses = ['receiving', 'ready'] as const
export type UploadStatus = (typeof uploadStatuses)[number]

/** Features that use an upload keep copies. */
export const uploadHours = 24

/** Per user; streams are concurrent. */
export const uploadLimits = { unused: 200, streams: 16 } as const

/** Per user; copies count like originals. Each credit spent on recent results adds bytes. */
export const storageLimits = { bytes: 1024 ** 3, bytesPerCredit: 20 * 1024 ** 2, creditDays: 30 } as const

/** JSON text of a form's `params`. */
export const paramsMaxBytes = 16 * 1024
