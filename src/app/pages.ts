import { type AdminMenu, staffPages } from '#features/admin/pages.ts'
import { type Menu, matchesPath, type PageDetails, pages } from '#shared/pages.ts'

/** Every page except the tools'. */
const anyPages = { ...pages, ...staffPages }

export type AnyPath = keyof typeof anyPages
/** Selects by properties, such as `PagesWith<{ fromServer: true }>`. */
export type PagesWith<Facts> = { [Path in AnyPath]: (typeof anyPages)[Path] extends Facts ? Path : never }[AnyPath]

export const anyPaths = Object.keys(anyPages) as AnyPath[]

export const detailsOf = (path: AnyPath): PageDetails<Menu | AdminMenu> => anyPages[path]

/** Undefined for a tool's page, and for unknown addresses. */
export const findPage = (address: string) => anyPaths.find((path) => matchesPath(address, path))
