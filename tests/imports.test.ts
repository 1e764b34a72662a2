import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Import {
  from: string
  to: string
  typeOnly: boolean
  /** Loaded when it is needed: `import('…')`. */
  lazy: boolean
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const files = globSync(['src/**/*.{ts,tsx}', 'sw/**/*.ts']).filter((path) => !isTest(path))

const imports: Import[] = files.flatMap((from) => {
  const source = readFileSync(from, 'utf8')
  const statements = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'|(?:^|\n)import\s+'([^']+)'|import\('([^']+)'\)/g,
  )
  return [...statements].map(([, type, named, bare, dynamic]) => {
    const specifier = (named ?? bare ?? dynamic) as string
    const to = specifier.startsWith('.')
      ? normalize(join(dirname(from), specifier))
      : specifier.replace(/^#sw\//, 'sw/').replace(/^#/, 'src/')
    return { from, to, typeOnly: Boolean(type), lazy: dynamic !== undefined }
  })
})

/** What the files under `folder` import beyond what `allowed` lets through. */
function strays(folder: RegExp, allowed: (found: Import) => boolean) {
  return imports.filter((found) => folder.test(found.from) && !allowed(found)).map(({ from, to }) => `${from} → ${to}`)
}

const nodeModules = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)])
const isOurs = (path: string) => /^(src|sw|tests|e2e|locale)\//.test(path)
const feature = (path: string) => /^src\/features\/([^/]+)\//.exec(path)?.[1]

/** What each folder of a tool, and of what all tools share, may import; `own` is the tool's. */
const toolFolders = {
  contract: /^(arktype$|src\/contract\/|src\/engine\/capability\.ts$|src\/tools\/contract\/|own\/contract\/)/,
  engine:
    /^(src\/contract\/|src\/engine\/(?!node\/|browser\/)|src\/tools\/(contract|engine)\/|own\/(contract|engine)\/)/,
  ui: /^(?!node:)([^/]+(\/macro)?$|@|src\/(app|contract|features)\/|src\/engine\/(?!node\/|browser\/)|src\/tools\/(contract|ui)\/|own\/)/,
}

describe('import directions', () => {
  it('finds the imports of the sources', () => {
    expect(imports.length).toBeGreaterThan(100)
  })

  it('keeps the contract free of everything but arktype', () => {
    expect(strays(/^src\/contract\//, ({ to }) => to.startsWith('src/contract/') || to === 'arktype')).toEqual([])
  })

  it.each(Object.entries(toolFolders))('lets the folder %s of a tool know nothing of the others', (folder, known) => {
    expect(
      strays(new RegExp(`^src/tools/([^/]+/)?${folder}/`), ({ from, to }) =>
        known.test(to.replace(from.slice(0, from.lastIndexOf(`/${folder}/`) + 1), 'own/')),
      ),
    ).toEqual([])
  })

  it('lets nobody but the registry of engines reach the engines of the tools', () => {
    expect(
      strays(/./, ({ from, to }) => !/^src\/tools\/[^/]+\/engine\//.test(to) || /^src\/tools\//.test(from)),
    ).toEqual([])
  })

  it('keeps Node, the DOM, the server, the app and React out of the shared engine', () => {
    expect(
      strays(
        /^src\/engine\/(?!node\/|browser\/)/,
        // Containers are read alike in browsers and on the server.
        ({ to }) => /^src\/(contract|engine\/(?!node\/|browser\/))/.test(to) || to === 'mediabunny',
      ),
    ).toEqual([])
    expect(imports.filter(({ from, to }) => /^src\/engine\/(?!node\/)/.test(from) && nodeModules.has(to))).toEqual([])
  })

  it('loads no schema library into engine threads', () => {
    const loaded = new Set(['src/tools/engine-thread.ts'])
    for (const path of loaded) {
      for (const { from, to, typeOnly } of imports) if (from === path && !typeOnly) loaded.add(to)
    }
    expect(loaded).toContain('src/tools/headshot/contract/definition.ts')
    expect(loaded).not.toContain('arktype')
  })

  it('lets the engine’s hosts know of the tools only what a tool is, and nothing of each other, the server, the features or the app', () => {
    expect(
      strays(
        /^src\/engine\/(node|browser)\//,
        ({ from, to }) =>
          !isOurs(to) ||
          to.startsWith(`${from.split('/', 3).join('/')}/`) ||
          /^src\/(contract|engine\/(?!node\/|browser\/))/.test(to) ||
          /^src\/tools\/(contract\/tool|engine\/tool-engine)\.ts$/.test(to),
      ),
    ).toEqual([])
  })

  it('lets a feature’s server part reach another feature only through its public face, its tables, its contract, its schemas or its rules', () => {
    expect(
      strays(/^src\/features\/[^/]+\/server\//, ({ from, to }) => {
        const other = feature(to)
        if (!other || other === feature(from)) return !to.startsWith('src/app/') && !/\/app\//.test(to)
        return (
          to === `src/features/${other}/server/${other}.ts` ||
          /\/(contract|rules|schemas|server\/table|server\/tables\/\w+)\.ts$/.test(to)
        )
      }),
    ).toEqual([])
  })

  it('never lets one feature’s screens import another’s but its words, nor anything of the server but types', () => {
    expect(
      strays(/^src\/features\/[^/]+\/app\//, ({ from, to, typeOnly }) => {
        const other = feature(to)
        if (/\/server\//.test(to)) return typeOnly
        return !other || other === feature(from) || /\/(contract|rules|words)\.ts$/.test(to)
      }),
    ).toEqual([])
  })

  it('lets the service worker know the contract alone', () => {
    expect(strays(/^sw\//, ({ to }) => !isOurs(to) || to.startsWith('sw/') || to.startsWith('src/contract/'))).toEqual(
      [],
    )
  })

  it('lets nobody import the composition roots', () => {
    expect(
      strays(/./, ({ from, to, typeOnly }) => {
        if (!/^src\/server\/(main|compose|api|worker)\.ts$/.test(to)) return true
        if (typeOnly) return from === 'src/app/api.ts' || from === 'src/server/http/app.ts' || to.endsWith('compose.ts')
        return from === 'src/server/main.ts' || from === 'src/server/compose.ts'
      }),
    ).toEqual([])
  })

  it('goes round in no circle', () => {
    const circles: string[] = []
    const done = new Set<string>()
    const visit = (path: string, way: string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '))
      if (done.has(path)) return
      done.add(path)
      for (const { to } of imports.filter(({ from, lazy }) => from === path && !lazy)) visit(to, [...way, path])
    }
    for (const path of files) visit(path, [])
    expect(circles).toEqual([])
  })

  it('names no file utils or misc', () => {
    expect(files.filter((path) => /(^|\/)(utils?|misc|helpers?|common)(\/|\.tsx?$)/.test(path))).toEqual([])
  })
})
