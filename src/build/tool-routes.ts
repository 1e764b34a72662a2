import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { toolContracts } from '../tools/contracts.ts'

/** The configuration runs before Vite can resolve modules, so Node imports the contracts. */
export async function readToolContracts(): Promise<{ id: string; route: string; label: { message: string } }[]> {
  const file = pathToFileURL('src/tools/contracts.ts').href
  const found: { toolContracts: typeof toolContracts } = await import(file)
  return Object.values(found.toolContracts)
}

/** `virtual:tool-routes` has only each tool's address, so that the first page stays small. */
export function toolRoutes(tools: readonly { id: string; route: string }[]): Plugin {
  const id = 'virtual:tool-routes'
  const routes = Object.fromEntries(tools.map((tool) => [tool.id, tool.route]))
  return {
    name: 'rupa-tool-routes',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (module) => (module === `\0${id}` ? `export const toolRoutes = ${JSON.stringify(routes)}` : undefined),
  }
}
