import { useLocation } from 'wouter'
import { ApprovalsScreen } from '#features/approvals/app/admin/approvals-screen.tsx'
import { voucherLabels } from '#features/billing/app/admin/labels.ts'
import { ReconciliationScreen } from '#features/billing/app/admin/reconciliation-screen.tsx'
import { RevenueScreen } from '#features/billing/app/admin/revenue-screen.tsx'

/** Loaded together. */
export function MoneyScreen() {
  const [path] = useLocation()
  if (path.startsWith('/admin/persetujuan')) return <ApprovalsScreen voucherLabels={voucherLabels} />
  return path.startsWith('/admin/pendapatan') ? <RevenueScreen /> : <ReconciliationScreen />
}
