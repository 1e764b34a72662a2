import { useLocation } from 'wouter'
import { AnnouncementsScreen } from './announcements/announcements-screen.tsx'
import { VouchersScreen } from './vouchers/vouchers-screen.tsx'

/** What is offered to people, and what they are told: screens that are loaded as one. */
export function ShopScreen() {
  const [path] = useLocation()
  return path === '/admin/voucher' ? <VouchersScreen /> : <AnnouncementsScreen />
}
