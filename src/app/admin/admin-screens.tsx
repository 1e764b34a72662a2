import type { ComponentType } from 'react'
import { lazyComponent } from '#client/lazy.ts'
import { dutyLabels, roleLabels, userSearch } from '#features/account/app/admin/contributions.ts'
import { chooseLanguage, chooseTheme } from '#features/account/app/appearance.ts'
import { AdminFrame } from '#features/admin/app/frame/frame.tsx'
import type { StaffPath } from '#features/admin/pages.ts'
import { approvalItems, differenceItem, orderItems, orderSearch } from '#features/billing/app/admin/contributions.ts'
import { differenceLabels, voucherLabels } from '#features/billing/app/admin/labels.ts'
import { statusLabels } from '#features/billing/labels.ts'
import { contentReportItem } from '#features/content-reports/app/admin/contributions.ts'
import { customEditItems, designerWork, fileRoleLabels } from '#features/custom-edits/app/admin/contributions.ts'
import { customEditLabels } from '#features/custom-edits/labels.ts'
import { ModelHint, refundRequestItem } from '#features/generations/app/admin/contributions.tsx'

const openItems = [
  ...orderItems,
  refundRequestItem,
  contentReportItem,
  ...approvalItems,
  ...customEditItems,
  differenceItem,
]

const auditedValues = {
  'order.status': statusLabels,
  'custom_edit.status': customEditLabels,
  'custom_edit.role': fileRoleLabels,
  'account.role': roleLabels,
  'account.duty': dutyLabels,
  'voucher.kind': voucherLabels,
}

const Shop = lazyComponent(() => import('./shop-screens.tsx'), 'ShopScreen')
const Money = lazyComponent(() => import('./money-screens.tsx'), 'MoneyScreen')

const screens: Record<StaffPath, ComponentType> = {
  '/admin/dashboard': lazyComponent(async () => {
    const [{ DashboardScreen }, { ErrorList }] = await Promise.all([
      import('#features/admin/app/dashboard/dashboard-screen.tsx'),
      import('#features/error-reports/app/admin/error-list.tsx'),
    ])
    return { screen: () => <DashboardScreen openItems={openItems} hints={<ModelHint />} reports={<ErrorList />} /> }
  }, 'screen'),
  '/admin/konversi': lazyComponent(() => import('#features/admin/app/funnel/funnel-screen.tsx'), 'FunnelScreen'),
  '/admin/fitur': lazyComponent(() => import('#features/generations/app/admin/tools-screen.tsx'), 'ToolsScreen'),
  '/admin/voucher': Shop,
  '/admin/request-custom': lazyComponent(
    () => import('#features/custom-edits/app/admin/board-screen.tsx'),
    'BoardScreen',
  ),
  '/admin/billing': lazyComponent(() => import('#features/billing/app/admin/orders-screen.tsx'), 'OrdersScreen'),
  '/admin/billing/:id': lazyComponent(() => import('#features/billing/app/admin/order-screen.tsx'), 'OrderScreen'),
  '/admin/users': lazyComponent(() => import('#features/account/app/admin/users-screen.tsx'), 'UsersScreen'),
  '/admin/users/me': lazyComponent(() => import('../profile-screen.tsx'), 'ProfileScreen'),
  '/admin/users/:id': lazyComponent(() => import('./user.tsx'), 'User'),
  '/admin/klaim': lazyComponent(
    () => import('#features/generations/app/admin/refund-requests-screen.tsx'),
    'RefundRequestsScreen',
  ),
  '/admin/laporan': lazyComponent(
    () => import('#features/content-reports/app/admin/reports-screen.tsx'),
    'ReportsScreen',
  ),
  '/admin/persetujuan': Money,
  '/admin/pembukuan': Money,
  '/admin/pendapatan': Money,
  '/admin/audit': lazyComponent(async () => {
    const { AuditScreen } = await import('#features/audit/app/admin/audit-screen.tsx')
    return {
      screen: () => <AuditScreen subjectNames={{ difference: differenceLabels }} values={auditedValues} />,
    }
  }, 'screen'),
  '/admin/keamanan': lazyComponent(() => import('#features/audit/app/admin/audit-screen.tsx'), 'SecurityScreen'),
  '/admin/pengumuman': Shop,
  '/admin/pasfoto': lazyComponent(() => import('#features/presets/app/admin/presets-screen.tsx'), 'PresetsScreen'),
  '/admin/tempat': lazyComponent(() => import('#features/locations/app/admin/locations-screen.tsx'), 'LocationsScreen'),
  '/admin/kredit/harga': lazyComponent(() => import('#features/billing/app/admin/prices-screen.tsx'), 'PricesScreen'),
  '/admin/kredit/riwayat': lazyComponent(() => import('#features/billing/app/admin/ledger-screen.tsx'), 'LedgerScreen'),
}

const searches = [userSearch, orderSearch]

/** The screens are named here rather than in routes.tsx, since only staff load them. */
export function AdminScreen({ path }: { path: StaffPath }) {
  const Page = screens[path]
  return (
    <AdminFrame searches={searches} designerWork={designerWork} onTheme={chooseTheme} onLanguage={chooseLanguage}>
      <Page />
    </AdminFrame>
  )
}
