/** Roles of an account. Everybody registers as `user`; a visitor has none. */
export const roles = ['user', 'designer', 'admin'] as const
export type Role = (typeof roles)[number]

/** What an admin may be kept to; one without a duty may do everything. */
export const duties = ['finance', 'support'] as const
export type Duty = (typeof duties)[number]

/** Who somebody is for the admin area. */
export interface Staff {
  role: Role
  duty?: Duty | null | undefined
}

/**
 * Parts of the admin area: figures; accounts and what they did; help for them; claims; giving
 * credits; orders; deciding about money; the designers' board; what is sold and how; roles, logs
 * and the server itself.
 */
export const permissions = [
  'overview',
  'people',
  'help',
  'claims',
  'credits',
  'orders',
  'money',
  'requests',
  'shop',
  'control',
] as const
export type Permission = (typeof permissions)[number]

const dutyPermissions: Record<Duty, readonly Permission[]> = {
  finance: ['overview', 'people', 'credits', 'orders', 'money'],
  support: ['overview', 'people', 'help', 'claims', 'orders', 'requests'],
}

/** What somebody may do in the admin area; the server asks on every call. */
export function permissionsOf({ role, duty }: Staff): readonly Permission[] {
  if (role === 'admin') return duty ? dutyPermissions[duty] : permissions
  return role === 'designer' ? ['requests'] : []
}
