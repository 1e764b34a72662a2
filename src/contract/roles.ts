/** Roles of an account. Everybody registers as `user`; a visitor has none. */
export const roles = ['user', 'designer', 'admin'] as const
export type Role = (typeof roles)[number]
