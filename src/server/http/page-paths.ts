import { matchesPath } from '#shared/pages.ts'
import type { ToolRegistry } from '#tools/contract/tool.ts'

export type FindPage = (address: string) => string | undefined

export function pageFinder(pagePaths: readonly string[], tools: ToolRegistry): FindPage {
  const paths = [...pagePaths, ...Object.values(tools).map(({ route }) => route)]
  return (address) => paths.find((path) => matchesPath(address, path))
}
