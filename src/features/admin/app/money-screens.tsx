import { useLocation } from 'wouter'
import { ReconciliationScreen } from './reconciliation/reconciliation-screen.tsx'
import { RevenueScreen } from './revenue/revenue-screen.tsx'

/** Screens about money, loaded together. */
export function MoneyScreen() {
  const [path] = useLocation()
  return path.startsWith('/admin/pendapatan') ? <RevenueScreen /> : <ReconciliationScreen />
}
