import type { ComponentType } from 'react'
import { lazyComponent } from '#client/lazy.ts'
import { AdminFrame } from '#features/admin/app/frame/frame.tsx'
import type { PagePath } from '#shared/pages.ts'

export type AdminPath = Extract<PagePath, `/admin/${string}`>

const Shop = lazyComponent(() => import('#features/admin/app/shop-screens.tsx'), 'ShopScreen')
const Money = lazyComponent(() => import('#features/admin/app/money-screens.tsx'), 'MoneyScreen')

const screens: Record<AdminPath, ComponentType> = {
  '/admin/dashboard': lazyComponent(
    () => import('#features/admin/app/dashboard/dashboard-screen.tsx'),
    'DashboardScreen',
  ),
  '/admin/konversi': lazyComponent(() => import('#features/admin/app/funnel/funnel-screen.tsx'), 'FunnelScreen'),
  '/admin/fitur': lazyComponent(() => import('#features/admin/app/tools/tools-screen.tsx'), 'ToolsScreen'),
  '/admin/voucher': Shop,
  '/admin/request-custom': lazyComponent(
    () => import('#features/custom-edits/app/board/board-screen.tsx'),
    'BoardScreen',
  ),
  '/admin/billing': lazyComponent(() => import('#features/admin/app/orders/orders-screen.tsx'), 'OrdersScreen'),
  '/admin/billing/:id': lazyComponent(() => import('#features/admin/app/orders/order-screen.tsx'), 'OrderScreen'),
  '/admin/users': lazyComponent(() => import('#features/admin/app/users/users-screen.tsx'), 'UsersScreen'),
  '/admin/users/me': lazyComponent(() => import('./profile-screen.tsx'), 'ProfileScreen'),
  '/admin/users/:id': lazyComponent(() => import('#features/admin/app/users/user-screen.tsx'), 'UserScreen'),
  '/admin/klaim': lazyComponent(
    () => import('#features/admin/app/refund-requests/refund-requests-screen.tsx'),
    'RefundRequestsScreen',
  ),
  '/admin/persetujuan': Money,
  '/admin/pembukuan': Money,
  '/admin/pendapatan': Money,
  '/admin/audit': lazyComponent(() => import('#features/admin/app/audit/audit-screen.tsx'), 'AuditScreen'),
  '/admin/keamanan': lazyComponent(() => import('#features/admin/app/security/security-screen.tsx'), 'SecurityScreen'),
  '/admin/pengumuman': Shop,
  '/admin/pasfoto': lazyComponent(() => import('#features/admin/app/presets/presets-screen.tsx'), 'PresetsScreen'),
  '/admin/kredit/harga': lazyComponent(() => import('#features/admin/app/prices/prices-screen.tsx'), 'PricesScreen'),
  '/admin/kredit/riwayat': lazyComponent(() => import('#features/admin/app/ledger/ledger-screen.tsx'), 'LedgerScreen'),
}

/** The screens are named here rather than in routes.tsx, since only staff load them. */
export function AdminScreen({ path }: { path: AdminPath }) {
  const Page = screens[path]
  return (
    <AdminFrame>
      <Page />
    </AdminFrame>
  )
}
