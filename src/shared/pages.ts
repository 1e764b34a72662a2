import type { Permission, Role } from './roles.ts'

/** Id in the catalogues, and Indonesian original. */
interface Text {
  id: string
  message: string
}

export type Menu = 'header' | 'header-signed-in' | 'dock' | 'account' | 'footer'

export interface PageDetails<AnyMenu = Menu> {
  /** Shown in menus, and in the title unless the screen sets another. */
  name: Text
  title?: Text
  /** Other users are redirected. Absent: public. */
  access?: 'signed-in' | 'staff'
  needs?: Permission
  /**
   * None, in Indonesian only (`bare`), header without dock (`payment`), or the admin area's.
   * Absent: header and dock.
   */
  frame?: 'bare' | 'payment' | 'admin'
  menus?: readonly AnyMenu[]
  /**
   * The service worker requests it from the server, because its headers depend on the navigation.
   */
  fromServer?: true
  /** Redirects to another page and has no screen. */
  leadsTo?: string
}

/** Pages outside the admin area except the tools', in the order of matching and of menus. */
export const pages = {
  '/': {
    name: /*i18n*/ { id: 'page.home', message: 'Beranda' },
    title: /*i18n*/ { id: 'page.home.title', message: 'Edit foto dengan AI' },
    menus: ['dock'],
  },
  '/pricing': {
    name: /*i18n*/ { id: 'page.pricing', message: 'Harga' },
    menus: ['header', 'footer'],
  },
  '/how-to-use': {
    name: /*i18n*/ { id: 'page.how_to_use', message: 'Cara pakai' },
    menus: ['header', 'footer'],
  },
  '/developers': { name: /*i18n*/ { id: 'page.developers', message: 'Untuk pengembang' }, menus: ['footer'] },
  '/privacy-policy': { name: /*i18n*/ { id: 'page.privacy', message: 'Kebijakan privasi' }, menus: ['footer'] },
  '/terms-of-service': { name: /*i18n*/ { id: 'page.terms', message: 'Syarat layanan' }, menus: ['footer'] },
  '/history': { name: /*i18n*/ { id: 'page.history', message: 'Riwayat' }, menus: ['header-signed-in', 'dock'] },
  '/open-with': { name: /*i18n*/ { id: 'page.open_with', message: 'Buka dengan' } },
  '/customize-edit': { name: /*i18n*/ { id: 'page.custom_edit', message: 'Edit Khusus' } },
  '/billing': { name: /*i18n*/ { id: 'page.billing', message: 'Kredit' }, access: 'signed-in', menus: ['dock'] },
  '/profile': {
    name: /*i18n*/ { id: 'page.profile', message: 'Akun' },
    access: 'signed-in',
    menus: ['dock', 'account'],
  },
  '/checkout': { name: /*i18n*/ { id: 'page.payment', message: 'Pembayaran' }, access: 'signed-in', frame: 'payment' },
  '/payment-success': { name: /*i18n*/ { id: 'page.payment', message: 'Pembayaran' }, access: 'signed-in' },
  '/payment-failed': { name: /*i18n*/ { id: 'page.payment', message: 'Pembayaran' }, access: 'signed-in' },
  '/login': {
    name: /*i18n*/ { id: 'page.login', message: 'Masuk' },
    frame: 'bare',
  },
  '/register': {
    name: /*i18n*/ { id: 'page.register', message: 'Daftar' },
    frame: 'bare',
  },
  '/forgot-password': {
    name: /*i18n*/ { id: 'page.forgot_password', message: 'Lupa kata sandi' },
    frame: 'bare',
  },
  '/reset-password/:token': {
    name: /*i18n*/ { id: 'page.reset_password', message: 'Setel ulang kata sandi' },
    frame: 'bare',
  },
  '/shared/:token': { name: /*i18n*/ { id: 'page.shared', message: 'Hasil edit' } },
  '/guardian/:token': { name: /*i18n*/ { id: 'page.guardian', message: 'Izin orang tua atau wali' } },
  '/keep-factors/:token': { name: /*i18n*/ { id: 'page.second_factor', message: 'Langkah kedua' }, frame: 'bare' },
  '/second-factor/:token': {
    name: /*i18n*/ { id: 'page.second_factor', message: 'Langkah kedua' },
    access: 'signed-in',
  },
  '/auth/callback': { name: /*i18n*/ { id: 'page.login', message: 'Masuk' }, frame: 'bare', fromServer: true },
  '/auth': { name: /*i18n*/ { id: 'page.login', message: 'Masuk' }, frame: 'bare', leadsTo: '/login' },
  '/logout': {
    name: /*i18n*/ { id: 'page.logout', message: 'Keluar' },
    frame: 'bare',
    menus: ['account'],
    fromServer: true,
  },
} as const satisfies Record<`/${string}`, PageDetails>

export type PagePath = keyof typeof pages

export const pagePaths = Object.keys(pages) as PagePath[]

export const pageDetails = (path: PagePath): PageDetails => pages[path]

export type PagesIn<Menus extends Menu> = {
  [Path in PagePath]: (typeof pages)[Path] extends { menus: readonly (infer Found)[] }
    ? [Extract<Found, Menus>] extends [never]
      ? never
      : Path
    : never
}[PagePath]

/** In menu order. */
export function pagesIn<Found extends Menu>(menu: Found): PagesIn<Found>[] {
  return pagePaths.filter((path): path is PagesIn<Found> => pageDetails(path).menus?.includes(menu) ?? false)
}

export const landingPages = {
  user: '/',
  designer: '/admin/request-custom',
  admin: '/admin/dashboard',
} as const satisfies Record<Role, `/${string}`>

/** Ignores the address's query; `path` may have parameters. */
export function matchesPath(address: string, path: string): boolean {
  const source = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${source}/?$`).test(address)
}
