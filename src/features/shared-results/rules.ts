export const sharedDays = 7
export const maxSharedDays = 30
export const sharedDaysOffered = [1, sharedDays, maxSharedDays] as const

/** Guessing must take longer than the link lives. */
export const linkPasswordMin = 6
export const linkPasswordMax = 100

/** Names under which they are served. */
export const sharedPictures = ['result', 'original', 'preview'] as const
export type SharedPicture = (typeof sharedPictures)[number]

export const sharedPath = (token: string) => `/shared/${token}`

/** Returns a message key; null if acceptable. */
export const linkPasswordProblem = (password: string) =>
  password.length < linkPasswordMin || password.length > linkPasswordMax ? 'shared.password' : null
