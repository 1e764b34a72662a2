export const accountStates = ['active', 'unverified', 'disabled'] as const

export const noteMax = 2000
export const tagMax = 30
export const tagsMax = 10

/** Mails with a link that staff may send again. */
export const linkMails = ['verify_email', 'reset_password'] as const

export const userSorts = ['newest', 'oldest', 'name', 'name_down', 'email', 'credits', 'credits_down'] as const
export type UserSort = (typeof userSorts)[number]
