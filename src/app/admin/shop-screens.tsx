import { useLocation } from 'wouter'
import { MailsScreen } from '#features/admin/app/mails-screen.tsx'
import { AnnouncementsScreen } from '#features/announcements/app/admin/announcements-screen.tsx'
import { VouchersScreen } from '#features/billing/app/admin/vouchers-screen.tsx'

/** Loaded together. */
export function ShopScreen() {
  const [path] = useLocation()
  return path === '/admin/voucher' ? <VouchersScreen /> : <AnnouncementsScreen Mails={MailsScreen} />
}
