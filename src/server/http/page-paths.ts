import { matchesPath, pagePaths } from '#contract/pages.ts'
import type { ToolRegistry } from '#tools/contract/tool.ts'

/** Page of an address: a path with parameters, such as `/reset-password/:token`, or undefined. */
export type FindPage = (address: string) => string | undefined

/** Finds the app's own pages and those of the tools. */
export function pageFinder(tools: ToolRegistry): FindPage {
  const paths = [...pagePaths, ...Object.values(tools).map(({ route }) => route)]
  return (address) => paths.find((path) => matchesPath(address, path))
}
