/** Every account starts as `user`; a visitor has no role. */
export const roles = ['user', 'designer', 'admin'] as const
export type Role = (typeof roles)[number]

/** Duties limit an admin; an admin without one may do everything. */
export const duties = ['finance', 'support'] as const
export type Duty = (typeof duties)[number]

export interface Staff {
  role: Role
  duty?: Duty | null | undefined
}

/**
 * Figures; accounts and their activity; support; refund requests; granting credits; orders; money
 * decisions; the designers' board; reported pictures; products and prices; roles, logs and the
 * server.
 */
export const permissions = [
  'overview',
  'people',
  'help',
  'refunds',
  'credits',
  'orders',
  'money',
  'approvals',
  'requests',
  'moderation',
  'shop',
  'control',
] as const
export type Permission = (typeof permissions)[number]

const dutyPermissions: Record<Duty, readonly Permission[]> = {
  finance: ['overview', 'people', 'credits', 'orders', 'money', 'approvals'],
  support: ['overview', 'people', 'help', 'refunds', 'orders', 'requests', 'moderation'],
}

/** The server checks them on every call. */
export function permissionsOf({ role, duty }: Staff): readonly Permission[] {
  if (role === 'admin') return duty ? dutyPermissions[duty] : permissions
  return role === 'designer' ? ['requests'] : []
}

function rankOf({ role, duty }: Staff): number {
  if (role === 'admin') return duty ? 2 : 3
  return role === 'designer' ? 1 : 0
}

/**
 * `account` changes the account, its rights or money; `service` is done for its owner, such as the
 * edit of a photo, and gives no power over it.
 */
export type StaffWork = 'account' | 'service'

/**
 * The error for staff who may not act on an account, or undefined. Never on their own; admins
 * without a duty on every other account, so that a shop with two of them can replace one; all
 * others only on accounts of a lower rank.
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
