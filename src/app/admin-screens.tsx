import type { ComponentType } from 'react'
import type { PagePath } from '#contract/pages.ts'
import { AdminFrame } from '#features/admin/app/frame/frame.tsx'
import { screen } from './screen.ts'

const Users = screen(async () => (await import('#features/admin/app/users/users-screen.tsx')).UsersScreen)
const User = screen(async () => (await import('#features/admin/app/users/user-screen.tsx')).UserScreen)
const Orders = screen(async () => (await import('#features/admin/app/orders/orders-screen.tsx')).OrdersScreen)
const Order = screen(async () => (await import('#features/admin/app/orders/order-screen.tsx')).OrderScreen)
const Dashboard = screen(
  async () => (await import('#features/admin/app/dashboard/dashboard-screen.tsx')).DashboardScreen,
)
const Tools = screen(async () => (await import('#features/admin/app/tools/tools-screen.tsx')).ToolsScreen)
const Vouchers = screen(async () => (await import('#features/admin/app/vouchers/vouchers-screen.tsx')).VouchersScreen)
const Prices = screen(async () => (await import('#features/admin/app/prices/prices-screen.tsx')).PricesScreen)
const RefundRequests = screen(
  async () => (await import('#features/admin/app/refund-requests/refund-requests-screen.tsx')).RefundRequestsScreen,
)
const Reconciliation = screen(
  async () => (await import('#features/admin/app/reconciliation/reconciliation-screen.tsx')).ReconciliationScreen,
)
const Audit = screen(async () => (await import('#features/admin/app/audit/audit-screen.tsx')).AuditScreen)
const Security = screen(async () => (await import('#features/admin/app/security/security-screen.tsx')).SecurityScreen)
const Presets = screen(async () => (await import('#features/admin/app/presets/presets-screen.tsx')).PresetsScreen)
const Ledger = screen(async () => (await import('#features/admin/app/ledger/ledger-screen.tsx')).LedgerScreen)
const Board = screen(async () => (await import('#features/custom-edits/app/board/board-screen.tsx')).BoardScreen)
const Profile = screen(async () => (await import('#features/account/app/profile-page.tsx')).ProfilePage)

export type AdminPath = Extract<PagePath, `/admin/${string}`>

const screens: Record<AdminPath, ComponentType> = {
  '/admin/dashboard': Dashboard,
  '/admin/fitur': Tools,
  '/admin/voucher': Vouchers,
  '/admin/request-custom': Board,
  '/admin/billing': Orders,
  '/admin/billing/:id': Order,
  '/admin/users': Users,
  '/admin/users/me': Profile,
  '/admin/users/:id': User,
  '/admin/klaim': RefundRequests,
  '/admin/pembukuan': Reconciliation,
  '/admin/audit': Audit,
  '/admin/keamanan': Security,
  '/admin/pasfoto': Presets,
  '/admin/kredit/harga': Prices,
  '/admin/kredit/riwayat': Ledger,
}

/**
 * A screen of the admin area in its frame. They are named here, and not among the routes, for only
 * staff load them.
 */
export function AdminScreen({ path }: { path: AdminPath }) {
  const Page = screens[path]
  return (
    <AdminFrame>
      <Page />
    </AdminFrame>
  )
}
