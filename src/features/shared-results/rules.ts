/** Default and longest validity of a shared link in days. */
export const sharedDays = 7
export const maxSharedDays = 30
export const sharedDaysOffered = [1, sharedDays, maxSharedDays] as const

/** Length of a link's password: guessing must take longer than the link lives. */
export const linkPasswordMin = 6
export const linkPasswordMax = 100

/** Pictures of a link by the names under which they are served. */
export const sharedPictures = ['result', 'original', 'preview'] as const
export type SharedPicture = (typeof sharedPictures)[number]

/** Types that browsers display, unlike print sheets and camera formats. */
const shown = ['image/jpeg', 'image/png', 'image/webp', 'video/mp4', 'video/webm']

/** True if a file of a result can be shared by a link. */
export const isShareable = ({ contentType }: { contentType: string }) => shown.includes(contentType)

export const sharedPath = (token: string) => `/shared/${token}`

/** Message key of a link password's problem; null if acceptable. */
export const linkPasswordProblem = (password: string) =>
  password.length < linkPasswordMin || password.length > linkPasswordMax ? 'shared.password' : null
