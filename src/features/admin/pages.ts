import type { PageDetails } from '#shared/pages.ts'
import type { Permission } from '#shared/roles.ts'

/** The groups of the navigation, in order. */
export const adminMenus = ['overview', 'customers', 'product', 'control'] as const
export type AdminMenu = (typeof adminMenus)[number]

const admin = <const Needs extends Permission>(needs: Needs) => ({ access: 'staff', frame: 'admin', needs }) as const

/** In the order of matching and of menus. The names load with the texts of the admin area. */
export const staffPages = {
  '/admin/dashboard': {
    name: /*i18n*/ { id: 'page.dashboard', message: 'Dasbor' },
    ...admin('overview'),
    menus: ['overview'],
  },
  '/admin/konversi': {
    name: /*i18n*/ { id: 'page.funnel', message: 'Konversi' },
    ...admin('overview'),
    menus: ['overview'],
  },
  '/admin/users': {
    name: /*i18n*/ { id: 'page.users', message: 'Pengguna' },
    ...admin('people'),
    menus: ['customers'],
  },
  '/admin/users/me': { name: /*i18n*/ { id: 'page.own_profile', message: 'Profil saya' }, ...admin('overview') },
  '/admin/users/:id': { name: /*i18n*/ { id: 'page.users', message: 'Pengguna' }, ...admin('people') },
  '/admin/billing': {
    name: /*i18n*/ { id: 'page.orders', message: 'Pesanan' },
    ...admin('orders'),
    menus: ['customers'],
  },
  '/admin/billing/:id': { name: /*i18n*/ { id: 'page.orders', message: 'Pesanan' }, ...admin('orders') },
  '/admin/klaim': {
    name: /*i18n*/ { id: 'page.claims', message: 'Permintaan kredit kembali' },
    ...admin('refunds'),
    menus: ['customers'],
  },
  '/admin/laporan': {
    name: /*i18n*/ { id: 'page.content_reports', message: 'Laporan gambar' },
    ...admin('moderation'),
    menus: ['customers'],
  },
  '/admin/request-custom': {
    name: /*i18n*/ { id: 'page.requests', message: 'Permintaan khusus' },
    ...admin('requests'),
    menus: ['customers'],
  },
  '/admin/fitur': { name: /*i18n*/ { id: 'page.tools', message: 'Alat' }, ...admin('shop'), menus: ['product'] },
  '/admin/voucher': {
    name: /*i18n*/ { id: 'page.vouchers', message: 'Voucher' },
    ...admin('shop'),
    menus: ['product'],
  },
  '/admin/pengumuman': {
    name: /*i18n*/ { id: 'page.announcements', message: 'Pengumuman' },
    ...admin('shop'),
    menus: ['product'],
  },
  '/admin/pasfoto': {
    name: /*i18n*/ { id: 'page.presets', message: 'Preset pasfoto' },
    ...admin('shop'),
    menus: ['product'],
  },
  '/admin/tempat': {
    name: /*i18n*/ { id: 'page.locations', message: 'Tempat' },
    ...admin('shop'),
    menus: ['product'],
  },
  '/admin/kredit/harga': {
    name: /*i18n*/ { id: 'page.prices', message: 'Harga kredit' },
    ...admin('shop'),
    menus: ['product'],
  },
  '/admin/kredit/riwayat': {
    name: /*i18n*/ { id: 'page.ledger', message: 'Riwayat kredit' },
    ...admin('people'),
    menus: ['product'],
  },
  '/admin/persetujuan': {
    name: /*i18n*/ { id: 'page.approvals', message: 'Persetujuan' },
    ...admin('approvals'),
    menus: ['control'],
  },
  '/admin/pembukuan': {
    name: /*i18n*/ { id: 'page.reconciliation', message: 'Pembukuan' },
    ...admin('money'),
    menus: ['control'],
  },
  '/admin/pendapatan': {
    name: /*i18n*/ { id: 'page.revenue', message: 'Pendapatan' },
    ...admin('money'),
    menus: ['control'],
  },
  '/admin/audit': {
    name: /*i18n*/ { id: 'page.audit', message: 'Log audit' },
    ...admin('control'),
    menus: ['control'],
  },
  '/admin/keamanan': {
    name: /*i18n*/ { id: 'page.security', message: 'Log keamanan' },
    ...admin('control'),
    menus: ['control'],
  },
} as const satisfies Record<`/admin/${string}`, PageDetails<AdminMenu>>

export type StaffPath = keyof typeof staffPages
/** Pages of the navigation. */
export type ListedPath = {
  [Path in StaffPath]: (typeof staffPages)[Path] extends { menus: unknown } ? Path : never
}[StaffPath]
