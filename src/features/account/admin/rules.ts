/** Filters of the list of accounts: active, address not yet verified, disabled. */
export const accountStates = ['active', 'unverified', 'disabled'] as const

/** Limits of the note and the tags that staff keep about a user. */
export const noteMax = 2000
export const tagMax = 30
export const tagsMax = 10

/** Mails with a link that staff may send again to a user who did not receive theirs. */
export const linkMails = ['verify_email', 'reset_password'] as const

export const userSorts = ['newest', 'oldest', 'name', 'name_down', 'email', 'credits', 'credits_down'] as const
export type UserSort = (typeof userSorts)[number]
