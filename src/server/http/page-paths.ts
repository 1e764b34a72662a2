import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Finds the page of an address: its pattern, such as `/reset-password/:token`, or undefined where
 * there is none.
 */
export type FindPage = (path: string) => string | undefined

/** Knows the pages of the built app by the list that the build has made (src/dev/prerender.ts). */
export function pageFinder(distDir: string): FindPage {
  const file = join(distDir, 'pages.json')
  const patterns = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : []
  const pages = patterns.map((pattern) => {
    const source = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
    return { pattern, matches: new RegExp(`^${source}/?$`) }
  })
  return (path) => pages.find(({ matches }) => matches.test(path))?.pattern
}
