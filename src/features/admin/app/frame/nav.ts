import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  BookOpenCheck,
  ChartNoAxesCombined,
  Coins,
  History,
  IdCard,
  type LucideIcon,
  MessageSquareWarning,
  Palette,
  ReceiptText,
  ScrollText,
  ShieldCheck,
  Sparkles,
  TicketPercent,
  Users,
} from 'lucide-react'
import type { Role } from '#contract/roles.ts'
import type { Dashboard } from '../../contract.ts'

export interface NavEntry {
  path: string
  name: MessageDescriptor
  icon: LucideIcon
  /** How many things wait there, and whether one of them has waited too long. */
  waiting?: (open: Waiting) => number
  late?: (open: Waiting) => boolean
}

/** What waits now, as far as somebody may know of it. */
export type Waiting = Partial<Dashboard['open']>

/** The places of the admin area, in groups. */
export const navGroups: { name: MessageDescriptor | null; entries: NavEntry[] }[] = [
  { name: null, entries: [{ path: '/admin/dashboard', name: msg`Dasbor`, icon: ChartNoAxesCombined }] },
  {
    name: msg`Pelanggan`,
    entries: [
      { path: '/admin/users', name: msg`Pengguna`, icon: Users },
      {
        path: '/admin/billing',
        name: msg`Pesanan`,
        icon: ReceiptText,
        waiting: ({ ordersAwaiting = 0 }) => ordersAwaiting,
      },
      { path: '/admin/klaim', name: msg`Klaim`, icon: MessageSquareWarning, waiting: ({ claims = 0 }) => claims },
      {
        path: '/admin/request-custom',
        name: msg`Permintaan khusus`,
        icon: Palette,
        waiting: ({ requests = 0 }) => requests,
        late: ({ requestsOverdue = 0 }) => requestsOverdue > 0,
      },
    ],
  },
  {
    name: msg`Produk`,
    entries: [
      { path: '/admin/fitur', name: msg`Fitur`, icon: Sparkles },
      { path: '/admin/voucher', name: msg`Voucher`, icon: TicketPercent },
      { path: '/admin/pasfoto', name: msg`Preset pasfoto`, icon: IdCard },
      { path: '/admin/kredit/harga', name: msg`Harga kredit`, icon: Coins },
      { path: '/admin/kredit/riwayat', name: msg`Riwayat kredit`, icon: History },
    ],
  },
  {
    name: msg`Kendali`,
    entries: [
      {
        path: '/admin/pembukuan',
        name: msg`Pembukuan`,
        icon: BookOpenCheck,
        waiting: ({ differences = 0, paymentProblems = 0 }) => Math.max(differences, paymentProblems),
      },
      { path: '/admin/audit', name: msg`Log audit`, icon: ScrollText },
      { path: '/admin/keamanan', name: msg`Log keamanan`, icon: ShieldCheck },
    ],
  },
]

/** The places that a role may go to; a designer has the board alone. */
export function navFor(role: Role): typeof navGroups {
  if (role === 'admin') return navGroups
  return navGroups
    .map((group) => ({ ...group, entries: group.entries.filter(({ path }) => path === '/admin/request-custom') }))
    .filter(({ entries }) => entries.length > 0)
}

/** The place that a path belongs to. */
export function placeOf(path: string): NavEntry | undefined {
  return navGroups
    .flatMap(({ entries }) => entries)
    .find((entry) => path === entry.path || path.startsWith(`${entry.path}/`))
}
