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
  'approvals',
  'requests',
  'shop',
  'control',
] as const
export type Permission = (typeof permissions)[number]

const dutyPermissions: Record<Duty, readonly Permission[]> = {
  finance: ['overview', 'people', 'credits', 'orders', 'money', 'approvals'],
  support: ['overview', 'people', 'help', 'claims', 'orders', 'requests'],
}

/** Permissions of a staff member; the server checks them on every call. */
export function permissionsOf({ role, duty }: Staff): readonly Permission[] {
  if (role === 'admin') return duty ? dutyPermissions[duty] : permissions
  return role === 'designer' ? ['requests'] : []
}

/** An admin without a duty is above one with a duty, who is above designers and users. */
function rankOf({ role, duty }: Staff): number {
  if (role === 'admin') return duty ? 2 : 3
  return role === 'designer' ? 1 : 0
}

/**
 * Work of staff on an account: `account` changes what it is, has or owes; `service` is done for its
 * owner and gives no power over it, such as the edit of a photo.
 */
export type StaffWork = 'account' | 'service'

/**
 * The error for staff who may not act on an account; undefined when they may. Staff never act on
 * their own account. Admins without a duty act on every other account, each other's too, so that
 * a shop with two of them can replace one; all others only on accounts below their own.
 */
export function refusalToActOn(
  staff: Staff & { id: string },
  account: Staff & { id: string },
  work: StaffWork = 'account',
): 'account.own' | 'account.higher_duty' | undefined {
  if (staff.id === account.id) return 'account.own'
  if (work === 'service' || rankOf(staff) === 3 || rankOf(staff) > rankOf(account)) return undefined
  return 'account.higher_duty'
}
