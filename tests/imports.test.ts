import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const images = 'src/shared src/engine src/engine/image src/engine/video'
const engine = `${images} src/engine/tasks/*:public src/tools/contract src/tools/engine`
const screens = `packages ${engine} src/client src/client/device src/ui src/tools/ui`
const toolParts = 'src/tools/*/contract src/tools/*/engine src/tools/*/ui'

const serverParts = 'src/features/*/server:public src/features/*/server:tables src/features/=/server'
const servers = `node packages ${engine} src/providers src/providers/hosted src/tools/threads src/engine/node src/tools/*/contract src/server src/features/* ${serverParts}`

/**
 * Allowed imports besides a folder's own files; the first matching folder counts. `*` is any name,
 * `=` the importer's; `:public` are `app/<name>.ts` or `.tsx`, `app/admin/<name>.tsx`,
 * `server/<name>.ts` and a task's `index.ts`. Features may also use others' tables.
 */
const rules: Record<string, string> = {
  'src/shared': 'arktype arktype/config',
  'src/engine/node': `node packages ${images} src/engine/models src/engine/tasks/* src/engine/tasks/*:public`,
  'src/engine/browser': `packages ${images} src/engine/models src/engine/tasks/*`,
  'src/engine/models': 'node packages src/engine/image',
  'src/engine/image': 'src/shared',
  'src/engine/video': 'mediabunny src/shared src/engine src/engine/image',
  'src/engine/tasks/*:public': `${images} src/engine/tasks/*`,
  'src/engine/tasks/*': `${images} src/engine/tasks/* src/engine/tasks/*:public`,
  'src/engine': 'src/shared src/engine/image src/engine/video',
  'src/providers/onnx/families': `${images} src/engine/tasks/*:public src/providers/onnx`,
  'src/providers/onnx': `node packages ${images} src/engine/node src/engine/node/video src/providers src/providers/onnx/families`,
  'src/providers/hosted': `packages ${images} src/engine/node src/providers`,
  'src/providers/fal': 'node src/shared src/providers/hosted',
  'src/providers/replicate': 'node src/shared src/providers/hosted',
  'src/providers/comfyui': `node packages ${images} src/engine/node src/providers`,
  'src/providers': `node packages ${images} src/engine/node`,
  'src/tools/contract': 'arktype src/shared src/engine',
  'src/tools/engine': 'src/shared src/engine src/engine/image src/engine/tasks/*:public src/tools/contract',
  'src/tools/threads': `node packages ${images} src/engine/node src/tools/contract src/tools/engine`,
  'src/tools/browser': `${images} src/engine/browser src/tools/contract src/tools/engine`,
  'src/tools/*/contract': 'arktype src/shared src/engine src/engine/tasks/*:public src/tools/contract',
  'src/tools/*/engine': `${engine} src/tools/=/contract`,
  'src/tools/*/ui': `${screens} src/tools/=/contract src/tools/=/engine`,
  'src/tools/ui': screens,
  'src/tools': `${screens} src/tools/threads src/tools/browser ${toolParts}`,
  sw: 'packages src/shared src/client/device src/upload-queue',
  'src/client/device': 'packages',
  'src/client': 'packages locale src/shared src/client/device',
  'src/ui': 'packages src/shared src/engine/image src/engine/tasks/*:public src/client',
  'src/upload-queue': 'packages src/shared src/client/device',
  'src/features/*/app:public': `${screens} ${toolParts} src/features/* src/features/=/app src/upload-queue`,
  'src/features/*/app': `${screens} src/upload-queue src/engine/browser src/tools src/tools/browser ${toolParts} src/features/* src/features/*/app:public`,
  'src/features/*/server:public': servers,
  'src/features/*/server:tables': servers,
  'src/features/*/server': servers,
  'src/features/*': 'packages src/shared src/tools/contract src/tools/*/contract src/features/*',
  'src/app': `${screens} locale src/tools src/features/* src/features/*/app src/features/*/app:public`,
  'src/server': `node packages ${engine} src/providers src/tools/threads`,
  'src/server-app': `${servers} src/providers/onnx src/providers/comfyui src/providers/hosted src/providers/fal src/providers/replicate src/tools src/features/*/server`,
}

/**
 * Other features that a feature uses, in code or types. All else is handed in by src/app and
 * src/server-app.
 */
const featureUses: Record<string, string> = {
  account: 'admin credits installed-app',
  audit: 'admin',
  billing: 'admin approvals assignments credits events generations push uploads',
  'content-reports': 'admin generations shared-results',
  credits: 'approvals events',
  'custom-edits': 'admin events generations guardians push uploads',
  generations:
    'account admin assignments credits events guardians installed-app locations looks presets push uploads webhooks',
  guardians: 'account',
  locations: 'uploads',
  looks: 'uploads',
  'public-api': 'credits generations uploads',
  push: 'installed-app',
  'shared-results': 'generations',
  site: 'account billing custom-edits error-reports generations shared-results',
  uploads: 'account guardians',
  webhooks: 'account',
}

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const files = globSync(['src/**/*.{ts,tsx}', 'sw/**/*.ts']).filter((path) => !isTest(path))
const statement =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'|(?:^|\n)import\s+'([^']+)'|import\('([^']+)'\)/g

const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(statement)].map(([, type, named, bare, lazy]) => {
    const specifier = (named ?? bare ?? lazy) as string
    const to = specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier.replace(/^#/, 'src/')
    return { from, to, typeOnly: Boolean(type) }
  }),
)

const nodeModules = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)])

/** The rule's folder, and the name that `*` stands for. */
function locate(path: string): { folder: string; own: string; name: string } {
  if (!/^(src|sw|locale)\//.test(path)) {
    const folder = nodeModules.has(path) ? 'node' : 'packages'
    return { folder, own: path, name: path }
  }
  const side = path
    .replace(/^(src\/features\/([^/]+)\/(?:app|server))\/(?:admin\/)?\2\.tsx?$/, '$1:public/')
    .replace(/^(src\/engine\/tasks\/[^/]+)\/index\.ts$/, '$1:public/')
    .replace(/^(src\/features\/[^/]+\/server)\/tables?(\/\w+)?\.ts$/, '$1:tables/')
  for (const folder of [...Object.keys(rules), 'src/*', 'locale']) {
    const found = new RegExp(`^${folder.replace('*', '([^/:]+)')}/`).exec(side)
    const name = found?.[1] ?? ''
    if (found) return { folder, own: folder.replace('*', name), name }
  }
  return { folder: path, own: path, name: path }
}

function isAllowed({ from, to }: Import): boolean {
  const [importer, target] = [locate(from), locate(to)]
  if (importer.own === target.own) return true
  const allowed = rules[importer.folder]?.replaceAll('=', importer.name).split(' ')
  return allowed?.some((entry) => entry === target.folder || entry === target.own) ?? true
}

const lines = (found: Import[]) => found.map(({ from, to }) => `${from} → ${to}`)

const featureOf = (path: string) => /^src\/features\/([^/]+)\//.exec(path)?.[1]

const featureImports = imports.flatMap(({ from, to }) => {
  const [importer, target] = [featureOf(from), featureOf(to)]
  return importer && target && importer !== target ? [{ from: importer, to: target }] : []
})

function findCycles(edges: Pick<Import, 'from' | 'to'>[]): string[] {
  const targets = Map.groupBy(edges, ({ from }) => from)
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (node: string, way: string[]): void => {
    if (way.includes(node)) cycles.push([...way.slice(way.indexOf(node)), node].join(' → '))
    if (done.has(node)) return
    done.add(node)
    for (const { to } of targets.get(node) ?? []) visit(to, [...way, node])
  }
  for (const node of targets.keys()) visit(node, [])
  return cycles
}

describe('import directions', () => {
  it('finds the imports of the sources', () => {
    expect(imports).toContainEqual({ from: 'src/app/main.tsx', to: 'src/app/app.tsx', typeOnly: false })
  })

  it('lets a folder import only those below it', () => {
    expect(lines(imports.filter((found) => !isAllowed(found)))).toEqual([])
  })

  it.each([
    ['engine threads', 'src/tools/engine-thread.ts', 'src/tools/headshot/contract/definition.ts'],
    ['the app', 'src/app/main.tsx', 'src/features/credits/rules.ts'],
  ])('loads no schema library into %s', (_where, entry, part) => {
    const loaded = new Set([entry])
    for (const path of loaded) {
      for (const { from, to, typeOnly } of imports) if (from === path && !typeOnly) loaded.add(to)
    }
    expect(loaded).toContain(part)
    expect(loaded).not.toContain('arktype')
  })

  it('does not import the composition roots anywhere', () => {
    const roots =
      /^src\/(app\/main\.tsx|server-app\/(main|command|compose|api|worker|prepare-database|registrations)\.ts)$/
    const others = imports.filter(({ from, to, typeOnly }) => roots.test(to) && !roots.test(from) && !typeOnly)
    expect(lines(others)).toEqual([])
  })

  it('opens connections to PostgreSQL only where each has an error listener', () => {
    const opening = imports.filter(({ to, typeOnly }) => /^pg(-pool)?$/.test(to) && !typeOnly)
    expect(lines(opening)).toEqual(['src/server/db/keep-listening.ts → pg', 'src/server/db/pool.ts → pg'])
  })

  it('runs the server with production packages only', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object }
    const ofServer = /^src\/(server-app|server|tools\/threads|engine\/(node|video|tasks)|features\/[^/]+\/server)\//
    const packages = imports
      .filter(
        ({ from, to, typeOnly }) =>
          ofServer.test(from) && !from.endsWith('.config.ts') && !typeOnly && locate(to).folder === 'packages',
      )
      .map(({ to }) =>
        to
          .split('/')
          .slice(0, to.startsWith('@') ? 2 : 1)
          .join('/'),
      )
    expect(packages).toContain('hono')
    expect(packages.filter((name) => !(name in dependencies))).toEqual([])
  })

  it('has no cycle, lazy imports and types included', () => {
    expect(findCycles(imports)).toEqual([])
  })

  it('lets a feature use only the few others that it names', () => {
    const used = [...new Set(featureImports.map(({ from, to }) => `${from} → ${to}`))]
    const named = Object.entries(featureUses).flatMap(([from, uses]) => uses.split(' ').map((to) => `${from} → ${to}`))
    expect(used.sort()).toEqual(named.sort())
  })

  it('has no cycle of features, types included', () => {
    expect(featureImports.length).toBeGreaterThan(0)
    expect(findCycles(featureImports)).toEqual([])
  })

  it('names no file utils or misc', () => {
    expect(files.filter((path) => /(^|\/)(utils?|misc|helpers?|common)(\/|\.tsx?$)/.test(path))).toEqual([])
  })
})
