import { type Permission, permissionsOf, type Role, type Staff } from './roles.ts'
import { staffPages } from './staff-pages.ts'

/** A text of the interface: its id in the catalogues, and its Indonesian original. */
interface Text {
  id: string
  message: string
}

/** Menus that lead to pages; those of the admin area are its groups, in their order. */
export const adminMenus = ['overview', 'customers', 'product', 'control'] as const
export type AdminMenu = (typeof adminMenus)[number]
export type Menu = 'header' | 'header-signed-in' | 'dock' | 'account' | 'footer' | AdminMenu

export interface PageDetails {
  /** In menus and, where the screen says nothing else, in the title. */
  name: Text
  /** In the title instead of its name. */
  title?: Text
  /** Who it is for; others are led to where they may go. Absent: everybody. */
  access?: 'signed-in' | 'staff'
  /** What staff have to be allowed for it. */
  needs?: Permission
  /**
   * What surrounds it: nothing and in Indonesian alone (`bare`), the header without the dock
   * (`payment`), or the admin area's own frame. Absent: header and dock.
   */
  frame?: 'bare' | 'payment' | 'admin'
  menus?: readonly Menu[]
  /** The service worker asks the server for it, whose headers tell something of the navigation. */
  fromServer?: true
  /** It has no screen, and leads to another page. */
  leadsTo?: string
}

/**
 * Every page but those of the tools, whose definitions say where they are: paths with their
 * parameters, in the order in which they are matched and stand in menus.
 */
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
    name: /*i18n*/ { id: 'page.reset_password', message: 'Atur ulang kata sandi' },
    frame: 'bare',
  },
  '/shared/:token': { name: /*i18n*/ { id: 'page.shared', message: 'Hasil edit' } },
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
  ...staffPages,
} as const satisfies Record<`/${string}`, PageDetails>

export type PagePath = keyof typeof pages
/** The pages for which something is said, e.g. `PagesWith<{ fromServer: true }>`. */
export type PagesWith<Facts> = { [Path in PagePath]: (typeof pages)[Path] extends Facts ? Path : never }[PagePath]

export const pagePaths = Object.keys(pages) as PagePath[]

/** What the table says of a page. */
export const pageDetails = (path: PagePath): PageDetails => pages[path]

/** Whether somebody may open a page of the admin area. */
export function mayOpen(staff: Staff, path: PagePath): boolean {
  const { needs } = pageDetails(path)
  return needs === undefined || permissionsOf(staff).includes(needs)
}

/** The pages that one of these menus leads to. */
export type PagesIn<Menus extends Menu> = {
  [Path in PagePath]: (typeof pages)[Path] extends { menus: readonly (infer Found)[] }
    ? [Extract<Found, Menus>] extends [never]
      ? never
      : Path
    : never
}[PagePath]

/** The pages that a menu leads to, in their order. */
export function pagesIn<Found extends Menu>(menu: Found): PagesIn<Found>[] {
  return pagePaths.filter((path): path is PagesIn<Found> => pageDetails(path).menus?.includes(menu) ?? false)
}

/** Where the area of each role begins. */
export const landingPages = {
  user: '/',
  designer: '/admin/request-custom',
  admin: '/admin/dashboard',
} as const satisfies Record<Role, PagePath>

/** Whether an address, without what stands behind `?`, is one of a path with parameters. */
export function matchesPath(address: string, path: string): boolean {
  const source = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${source}/?$`).test(address)
}

/** The page of an address; undefined for a tool's, and where there is none. */
export const findPage = (address: string) => pagePaths.find((path) => matchesPath(address, path))
