import type { Plugin } from 'vite'

const folder = '#tests/support/two-pictures'

/** Lines of a new tool in the registries (docs/architecture/adding-a-tool.md). */
export const registryLines = {
  'contracts.ts': {
    names: 'twoPictures, twoPicturesOptions',
    file: 'contract/definition.ts',
    value: 'defineTool(twoPictures, twoPicturesOptions)',
  },
  'engines.ts': { names: 'twoPicturesEngine', file: 'engine/engine.ts', value: 'twoPicturesEngine' },
  'pages.ts': { names: 'twoPicturesPage', file: 'ui/page.tsx', value: 'twoPicturesPage' },
} as const
export type Registry = keyof typeof registryLines

/** The registry's code with the tool after the first one, imported from a folder. */
export function withTestTool(registry: Registry, code: string, from: string): string {
  const { names, file, value } = registryLines[registry]
  const registered = code.replace(/^ {2}'background-removal': .*$/m, `$&\n  'two-pictures': ${value},`)
  if (registered === code) throw new Error(`${registry} has no line of the first tool`)
  return `import { ${names} } from '${from}/${file}'\n${registered}`
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
