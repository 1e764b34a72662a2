/**
 * An account as a list of accounts may be narrowed to: whole, waiting for its address to be
 * verified, shut out.
 */
export const accountStates = ['active', 'unverified', 'disabled'] as const

/** Orders of the list of accounts: by age, or by a text. */
export const userSorts = ['newest', 'oldest', 'name', 'email'] as const
export type UserSort = (typeof userSorts)[number]
