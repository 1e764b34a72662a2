/** Days that a shared link works unless its owner says otherwise, and at most. */
export const sharedDays = 7
export const maxSharedDays = 30
export const sharedDaysOffered = [1, sharedDays, maxSharedDays] as const

/** Characters of a link's password: enough that guessing takes longer than the link lives. */
export const linkPasswordMin = 6
export const linkPasswordMax = 100

/** Pictures behind a link, by the names under which they are served. */
export const sharedPictures = ['result', 'original', 'preview'] as const
export type SharedPicture = (typeof sharedPictures)[number]

/** What browsers show by themselves, unlike print sheets and cameras' own formats. */
const shown = ['image/jpeg', 'image/png', 'image/webp', 'video/mp4', 'video/webm']

/** Whether a file of a result can be looked at behind a link. */
export const isShareable = ({ contentType }: { contentType: string }) => shown.includes(contentType)

/** Where a link's page is. */
export const sharedPath = (token: string) => `/shared/${token}`

/** The message key of what is wrong with a link's password; null when it will do. */
export const linkPasswordProblem = (password: string) =>
  password.length < linkPasswordMin || password.length > linkPasswordMax ? 'shared.password' : null
