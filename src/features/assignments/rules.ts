import type { Permission } from '#shared/roles.ts'
import { addTime } from '#shared/time.ts'

/** Work that staff assign to each other, and the permission for it. */
export const assignableWork = { order: 'orders', refund_request: 'refunds' } as const satisfies Record<
  string,
  Permission
>
export type AssignableWork = keyof typeof assignableWork
export const assignableKinds = Object.keys(assignableWork) as AssignableWork[]

/** Hours until waiting work is overdue: a reported transfer, and a request for credits. */
const dueHours = { order: 24, refund_request: 48 } as const satisfies Record<AssignableWork, number>

export function dueAtOf(kind: AssignableWork, since: Date): Date {
  return addTime(since, { hours: dueHours[kind] })
}
