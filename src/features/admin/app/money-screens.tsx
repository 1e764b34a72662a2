import { useLocation } from 'wouter'
import { ApprovalsScreen } from './approvals/approvals-screen.tsx'
import { ReconciliationScreen } from './reconciliation/reconciliation-screen.tsx'
import { RevenueScreen } from './revenue/revenue-screen.tsx'

/** Loaded together. */
export function MoneyScreen() {
  const [path] = useLocation()
  if (path.startsWith('/admin/persetujuan')) return <ApprovalsScreen />
  return path.startsWith('/admin/pendapatan') ? <RevenueScreen /> : <ReconciliationScreen />
}
