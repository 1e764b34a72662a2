/** The pages of the admin area. */
export const adminPaths = [
  '/admin/dashboard',
  '/admin/fitur',
  '/admin/voucher',
  '/admin/request-custom',
  '/admin/billing',
  '/admin/billing/:id',
  '/admin/users',
  '/admin/users/me',
  '/admin/users/:id',
  '/admin/klaim',
  '/admin/pembukuan',
  '/admin/audit',
  '/admin/keamanan',
  '/admin/pasfoto',
  '/admin/kredit/harga',
  '/admin/kredit/riwayat',
] as const
export type AdminPath = (typeof adminPaths)[number]
