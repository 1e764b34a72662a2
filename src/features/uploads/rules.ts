/** receiving: bytes are missing or unchecked. ready: usable. Refused uploads are deleted. */
export const uploadStatuses = ['receiving', 'ready'] as const
export type UploadStatus = (typeof uploadStatuses)[number]

/** Hours after which an upload is deleted. Features that use it keep copies. */
export const uploadHours = 24

/** Limits of a user: unused uploads, and concurrent streams. */
export const uploadLimits = { unused: 200, streams: 16 } as const

/**
 * Storage of a user, with copies counted like originals, and the additional bytes for each credit
 * spent on recent results.
 */
export const storageLimits = { bytes: 1024 ** 3, bytesPerCredit: 20 * 1024 ** 2, creditDays: 30 } as const

/** Longest JSON text of a form's `params` in bytes. */
export const paramsMaxBytes = 16 * 1024
