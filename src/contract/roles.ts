/** Roles of an account. Every account starts as `user`; a visitor has none. */
export const roles = ['user', 'designer', 'admin'] as const
export type Role = (typeof roles)[number]

/** Duties that limit an admin; an admin without one may do everything. */
export const duties = ['finance', 'support'] as const
export type Duty = (typeof duties)[number]

/** Role and duty of a staff member. */
export interface Staff {
  role: Role
  duty?: Duty | null | undefined
}

/**
 * Permissions of the admin area: figures; accounts and their activity; support; refund requests;
 * granting credits; orders; money decisions; the designers' board; products and prices; roles, logs
 * and the server.
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

/** Permissions of a staff member; the server checks them on every call. */
export function permissionsOf({ role, duty }: Staff): readonly Permission[] {
  if (role === 'admin') return duty ? dutyPermissions[duty] : permissions
  return role === 'designer' ? ['requests'] : []
}
