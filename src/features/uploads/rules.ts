/**
 * receiving: bytes are missing, or have not been checked. ready: it may be used. A refused upload
 * is gone.
 */
export const uploadStatuses = ['receiving', 'ready'] as const
export type UploadStatus = (typeof uploadStatuses)[number]

/** Hours after which an upload is deleted. What used it has its own copy. */
export const uploadHours = 24

/**
 * Limits for one person: uploads that nothing has used yet, and how many may be on their way at
 * once.
 */
export const uploadLimits = { unused: 200, streams: 16 } as const

/**
 * What one person may have stored, of whatever kind, a copy counted like its original; and how much
 * more each credit brings that results of the last days have cost.
 */
export const storageLimits = { bytes: 1024 ** 3, bytesPerCredit: 20 * 1024 ** 2, creditDays: 30 } as const

/** Longest JSON text of a form's `params` in bytes. */
export const paramsMaxBytes = 16 * 1024
