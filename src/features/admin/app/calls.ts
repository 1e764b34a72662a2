import type { AdminUserDetail, AdminUserView } from '#features/account/admin/types.ts'
import type { AuditEntryView, SecurityEventView } from '#features/audit/types.ts'
import type { AdminLedgerEntry, AdminOrderView, VoucherView } from '#features/billing/admin/types.ts'
import type { BoardCounts } from '#features/custom-edits/types.ts'
import { listQuery, readQuery } from '#ui/admin/queries.ts'
import type { Period } from '../rules.ts'
import type { Dashboard, UserSummary } from '../types.ts'

export const paths = {
  users: '/api/admin/users',
  orders: '/api/admin/orders',
  vouchers: '/api/admin/vouchers',
  ledger: '/api/admin/ledger',
  audit: '/api/admin/audit',
  security: '/api/admin/security_events',
} as const

export const usersQuery = listQuery<AdminUserView>('users', paths.users)
export const ordersQuery = listQuery<AdminOrderView>('orders', paths.orders)
export const vouchersQuery = listQuery<VoucherView>('vouchers', paths.vouchers)
export const ledgerQuery = listQuery<AdminLedgerEntry>('ledger', paths.ledger)
export const securityQuery = listQuery<SecurityEventView>('security', paths.security)
export const auditQuery = listQuery<AuditEntryView>('audit', paths.audit)

export const dashboardQuery = (period: Period) => ({
  ...readQuery<Dashboard>(['dashboard', period], `/api/admin/dashboard?period=${period}`),
  staleTime: 60_000,
  refetchInterval: 120_000,
})
/** Under the key of the board, so that a step on it counts anew. */
export const boardCountsQuery = {
  ...readQuery<BoardCounts>(['board', 'counts'], '/api/admin/custom_edits/counts'),
  refetchInterval: 60_000,
}
export const userQuery = (id: string) => readQuery<AdminUserDetail>(['users', id], `${paths.users}/${id}`)
export const summaryQuery = (id: string) =>
  readQuery<UserSummary>(['users', id, 'summary'], `${paths.users}/${id}/summary`)
export const orderQuery = (id: string) => readQuery<AdminOrderView>(['orders', id], `${paths.orders}/${id}`)
