import type { Plugin } from 'vite'

const folder = '#tests/support/two-pictures'

/** Lines of a new tool in the registries (docs/architecture/adding-a-tool.md). */
export const registryLines = {
  'contracts.ts': { name: 'twoPicturesContract', file: 'contract/schema.ts' },
  'engines.ts': { name: 'twoPicturesEngine', file: 'engine/engine.ts' },
  'pages.ts': { name: 'twoPicturesPage', file: 'ui/page.tsx' },
} as const
export type Registry = keyof typeof registryLines

/** The registry's code with the tool after the first one, imported from a folder. */
export function withTestTool(registry: Registry, code: string, from: string): string {
  const { name, file } = registryLines[registry]
  const registered = code.replace(/^ {2}'background-removal': .*$/m, `$&\n  'two-pictures': ${name},`)
  if (registered === code) throw new Error(`${registry} has no line of the first tool`)
  return `import { ${name} } from '${from}/${file}'\n${registered}`
}

/** Adds the thirteenth tool to the app of component tests, by a line in each registry. */
export function testTool(): Plugin {
  return {
    name: 'rupa-test-tool',
    enforce: 'pre',
    transform(code, id) {
      const registry = /\/src\/tools\/(contracts|pages)\.ts$/.exec(id)?.[1]
      if (registry) return { code: withTestTool(`${registry}.ts` as Registry, code, folder), map: null }
      if (id === '\0virtual:tool-routes') return `${code}\ntoolRoutes['two-pictures'] = '/two-pictures'`
      return undefined
    },
  }
}
