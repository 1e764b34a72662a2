import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { toolContracts } from '../tools/contracts.ts'

/**
 * Tool contracts for the configuration, which runs before Vite can resolve modules: Node imports
 * them itself.
 */
export async function readToolContracts(): Promise<{ id: string; route: string; label: { message: string } }[]> {
  const file = pathToFileURL('src/tools/contracts.ts').href
  const found: { toolContracts: typeof toolContracts } = await import(file)
  return Object.values(found.toolContracts)
}

/**
 * The module `virtual:tool-routes` with each tool's address only, so that the first page stays
 * small.
 */
export function toolRoutes(tools: readonly { id: string; route: string }[]): Plugin {
  const id = 'virtual:tool-routes'
  const routes = Object.fromEntries(tools.map((tool) => [tool.id, tool.route]))
  return {
    name: 'rupa-tool-routes',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (module) => (module === `\0${id}` ? `export const toolRoutes = ${JSON.stringify(routes)}` : undefined),
  }
}
