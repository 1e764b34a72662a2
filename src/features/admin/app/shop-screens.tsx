import { useLocation } from 'wouter'
import { AnnouncementsScreen } from './announcements/announcements-screen.tsx'
import { VouchersScreen } from './vouchers/vouchers-screen.tsx'

/** Loaded together. */
export function ShopScreen() {
  const [path] = useLocation()
  return path === '/admin/voucher' ? <VouchersScreen /> : <AnnouncementsScreen />
}
