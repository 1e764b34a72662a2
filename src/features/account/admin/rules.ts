/**
 * An account as a list of accounts may be narrowed to: whole, waiting for its address to be
 * verified, shut out.
 */
export const accountStates = ['active', 'unverified', 'disabled'] as const

/** What staff may write down about a person. */
export const noteMax = 2000
export const tagMax = 30
export const tagsMax = 10

/** Mails with a link that staff may have sent to somebody who did not get theirs. */
export const linkMails = ['verify_email', 'reset_password'] as const

/** Orders of the list of accounts: by age, by a text, or by credits. */
export const userSorts = ['newest', 'oldest', 'name', 'name_down', 'email', 'credits', 'credits_down'] as const
export type UserSort = (typeof userSorts)[number]
