import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  BookOpenCheck,
  ChartNoAxesCombined,
  Coins,
  Flag,
  Funnel,
  Handshake,
  History,
  IdCard,
  Landmark,
  type LucideIcon,
  Megaphone,
  MessageSquareWarning,
  MountainSnow,
  Palette,
  ReceiptText,
  ScrollText,
  ShieldCheck,
  Sparkles,
  TicketPercent,
  Users,
} from 'lucide-react'
import { permissionsOf, type Staff } from '#shared/roles.ts'
import type { OpenWork } from '../../contributions.ts'
import { type AdminMenu, adminMenus, type ListedPath, type StaffPath, staffPages } from '../../pages.ts'

interface NavPart {
  icon: LucideIcon
  waiting?: (open: Partial<OpenWork>) => number
  late?: (open: Partial<OpenWork>) => boolean
}

export interface NavEntry extends NavPart {
  path: StaffPath
  name: MessageDescriptor
}

/** In the order of menus. */
const parts: Record<ListedPath, NavPart> = {
  '/admin/dashboard': { icon: ChartNoAxesCombined },
  '/admin/konversi': { icon: Funnel },
  '/admin/users': { icon: Users },
  '/admin/billing': { icon: ReceiptText, waiting: ({ ordersAwaiting = 0 }) => ordersAwaiting },
  '/admin/klaim': { icon: MessageSquareWarning, waiting: ({ refundRequests = 0 }) => refundRequests },
  '/admin/laporan': { icon: Flag, waiting: ({ contentReports = 0 }) => contentReports },
  '/admin/request-custom': {
    icon: Palette,
    waiting: ({ customEdits = 0 }) => customEdits,
    late: ({ customEditsOverdue = 0 }) => customEditsOverdue > 0,
  },
  '/admin/fitur': { icon: Sparkles },
  '/admin/voucher': { icon: TicketPercent },
  '/admin/pengumuman': { icon: Megaphone },
  '/admin/pasfoto': { icon: IdCard },
  '/admin/tempat': { icon: MountainSnow },
  '/admin/kredit/harga': { icon: Coins },
  '/admin/kredit/riwayat': { icon: History },
  '/admin/persetujuan': {
    icon: Handshake,
    waiting: ({ creditApprovals = 0, orderApprovals = 0, voucherApprovals = 0 }) =>
      creditApprovals + orderApprovals + voucherApprovals,
  },
  '/admin/pembukuan': {
    icon: BookOpenCheck,
    waiting: ({ differences = 0, paymentProblems = 0 }) => Math.max(differences, paymentProblems),
  },
  '/admin/pendapatan': { icon: Landmark },
  '/admin/audit': { icon: ScrollText },
  '/admin/keamanan': { icon: ShieldCheck },
}

const groupNames: Record<AdminMenu, MessageDescriptor | null> = {
  overview: null,
  customers: msg`Pelanggan`,
  product: msg`Produk`,
  control: msg`Pengawasan`,
}

const listed = Object.keys(parts) as ListedPath[]
const isIn = (path: ListedPath, menu: AdminMenu) => staffPages[path].menus.some((one) => one === menu)

export function navFor(staff: Staff): { name: MessageDescriptor | null; entries: NavEntry[] }[] {
  return adminMenus
    .map((menu) => ({
      name: groupNames[menu],
      entries: listed
        .filter((path) => isIn(path, menu) && permissionsOf(staff).includes(staffPages[path].needs))
        .map((path) => ({ path, name: staffPages[path].name, ...parts[path] })),
    }))
    .filter(({ entries }) => entries.length > 0)
}

export function navEntryOf(address: string): NavEntry | undefined {
  return navFor({ role: 'admin' })
    .flatMap(({ entries }) => entries)
    .find(({ path }) => address === path || address.startsWith(`${path}/`))
}
