import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'
import type { toolContracts } from '../tools/contracts.ts'

/** 0 to 11: files are compressed once and downloaded by every phone. */
export const brotliQuality = 11

/** True for modules that only the admin area needs. */
const isAdmins = (module: string) =>
  /\/src\/(app\/admin|features\/(admin\/app|[^/]+\/app\/admin)|ui\/admin)\/|\/src\/tools\/tool-name\.|\/locale\/..\/admin\.po|node_modules\/(cmdk|uplot)\//.test(
    module,
  )

/** Icons of the first page and of tools' pages before a picture is chosen. */
const firstIcons =
  /\/icons\/(camera|circle-check|circle-exclamation-point|clock|cloud-off|cloud-upload|coins|image-up|info|log-in|move-horizontal|triangle-exclamation-point|video|x)\.mjs$/

/** Icons of editors and their options. */
const editorIcons =
  /\/icons\/(arrow-up-left|brush|eraser|image-plus|paint-bucket|palette|pipette|redo-2|scan-face|sun|undo-2|wand-sparkles)\.mjs$/

/** Icons of the studio that few other screens use. */
const studioIcons =
  /\/icons\/(archive|ban|bookmark|box|crop|dices|log-in|move|play|scan-search|share-2|sliders-horizontal|store|wifi-off)\.mjs$|\/ui\/whatsapp-mark\.tsx$/

/** True for shared modules that neither the first page nor a tool's page needs at its start. */
const isForOtherScreens = (module: string) =>
  /lucide-react\/.*\/icons\//.test(module)
    ? !firstIcons.test(module)
    : /\/@tanstack\/.*\/(infiniteQueryObserver|mutationObserver|useInfiniteQuery|useMutation)\.js$/.test(module) ||
      /\/src\/(shared\/(credentials|local-path)|client\/(save-blob|trusted-script|wib)|ui\/(option-tabs|restore-focus|use-action)|features\/credits\/.*)\.ts$|\/src\/ui\/dialog\.tsx$/.test(
        module,
      )

/** Null for modules used by several folders. */
function folderOf(module: string): string | null {
  // Modules that only some screens need, such as the large form library.
  if (/\/src\/ui\/((admin\/)?form|lists\/search-input|welcome-offer|zoom-buttons)/.test(module)) return null
  if (/\/src\/ui\/(field|segmented)\./.test(module)) return 'ui-fields'
  if (/\/src\/ui\/(compare-slider|use-zoom)\./.test(module)) return 'ui-comparison'
  if (isForOtherScreens(module)) return 'screen-parts'
  if (/node_modules\/(@tanstack|jotai|lucide-react)\//.test(module)) return 'packages'
  // Consents and the user's age are asked for together, before something is sent.
  if (/\/guardians\/app\/guardians\.ts$/.test(module)) return 'account-consent'
  // Birth years are checked with the fields of an account.
  if (/\/shared\/age\.ts$/.test(module)) return 'account'
  if (/\/billing\/app\/billing\./.test(module)) return 'billing-price'
  const [, folder] = /\/src\/((?:shared|client|ui|upload-queue|features)(?:\/.*)?)\/[^/]+\.tsx?$/.exec(module) ?? []
  const name = folder?.replace(/features\/|\/app/g, '').replaceAll('/', '-')
  // Code of nearly every screen.
  return name && /^(client|shared|credits|ui)$/.test(name) ? 'packages' : (name ?? null)
}

/**
 * A distant phone waits for the number of files more than for their bytes, and small files compress
 * badly, so shared code is grouped by layer. The first matching group wins.
 */
export const chunkGroups = [
  // In two chunks: most updates leave the libraries unchanged.
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/ },
  { name: 'shell', tags: ['$initial' as const], test: /^(?!.*\/main\.tsx$)/ },
  // Every studio needs these small modules to offer the other tools.
  {
    name: 'tools',
    test: /\/src\/(?:tools\/(?:[^/]+\/)*(?:correction|custom-edit-entry|definition|icon|labels|logo|page|pages|stage-state|tool|tool-list|tool-picture|tools-query)|engine\/(?:platforms|scenes|tasks\/layout\/page)|features\/(?:generations\/(?:rules|app\/picture)|site\/app\/last-row)|ui\/mask-editor\/strokes)\.tsx?$/,
  },
  // Small modules of tools' pages, some of which the first page uses too.
  {
    name: 'studio-parts',
    test: /\/(?:src\/(?:tools\/ui\/object-url|client\/device\/blob-support|features\/generations\/app\/(?:draft|copied-pictures|.*\/paste-and-drop|studio\/kept-params|samples\/(?:cat|coffee)(?:-small)?))|icons\/(?:camera|clipboard-paste|lightbulb))\.\w+/,
  },
  {
    name: 'options',
    test: /\/src\/tools\/ui\/(?:logo|platform)-|\/icons\/(?:arrow-(?:down-left|down-right|up-right)|dot|stamp)\.mjs$/,
  },
  { name: 'editor-icons', test: editorIcons },
  { name: 'studio-icons', test: studioIcons },
  // A studio needs these once a photo is chosen.
  {
    name: 'studio-screens',
    test: /\/src\/(?:engine\/image\/jpeg-scan|features\/(?:looks\/app\/looks(?:-query)?|generations\/app\/(?:resample|result\/(?:rerender|reveal-animation)|studio\/(?:batch-screen|chosen-files|device-preview|editor|generation-screen|options|pending-generation|preview-screen|read-files|remaining-time|replaced-notice|stage-of|start-.*|status-card|studio-layout|studio-screens|upload-screen|use-photo-check|use-tool-stage|visitor-preview|waiting-picture))))\.tsx?$/,
  },
  {
    name: 'generations',
    test: /\/src\/features\/generations\/app\/(?:input-file|labels|picture-problems|queries|used-tools|watched-generations|result\/(?:refund-request|save-picture))\.tsx?$/,
  },
  // A member's home and the history show tiles.
  { name: 'tiles', test: /\/src\/features\/generations\/app\/(?:history\/tile|low-credits\/low-credits)\.tsx$/ },
  { name: 'uploads', test: /\/src\/features\/uploads\/app\/(?:queue|send-uploads|upload-list|use-send-job)\.tsx?$/ },
  { name: 'ui-mask-editor', test: /\/src\/(?:ui\/mask-editor\/(?!strokes)|tools\/ui\/correction-tools).*\.tsx?$/ },
  { name: folderOf, minShareCount: 5 },
].map((group, index, { length }) => ({ includeDependenciesRecursively: false, ...group, priority: length - index }))

/**
 * Style sheets load with a lazy screen. Its scripts load once its own file imports them, because
 * many preload links in a page block the main thread of a slow phone; only a studio, the history
 * and a member's home, which the user waits for, request their few files at once.
 */
export const preloadedWith = (file: string, needed: string[]) =>
  needed.filter((name) =>
    /\/(studio-(page|screens)|member-screen|history-page)-[^/]+$/.test(file)
      ? !/\/(libraries|shell|rolldown-runtime)-[^/]+$/.test(name)
      : name.endsWith('.css'),
  )

/** The service worker excludes the admin folder. Seven characters distinguish versions. */
export const chunkFileNames = ({ moduleIds }: { moduleIds: string[] }) =>
  `assets/${moduleIds.some(isAdmins) ? 'admin/' : ''}[name]-[hash:7].js`

interface Entry {
  url: string
  revision: string | null
}
interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
}

const dist = 'dist'

/**
 * A phone loads this pack in one request instead of two hundred (sw/sw.ts). Excludes files
 * that change, files of the first page, and the engine, which is cached separately.
 */
export function writeOfflinePack(entries: Entry[]): void {
  const first = firstFiles()
  const packed = entries.filter(
    ({ url, revision }) => !revision && /^assets\/(?!engine\/).+\.(js|css)$/.test(url) && !first.has(url),
  )
  const texts = packed.map(({ url }) => [`/${url}`, readFileSync(join(dist, url), 'utf8')])
  writeCompressed('offline-pack.json', JSON.stringify(Object.fromEntries(texts)))
}

/** Scripts already on the device before the worker is installed; its styles are in the document. */
function firstFiles(): Set<string> {
  const manifest = join(dist, 'vite-manifest.json')
  const found = new Set<string>()
  // Absent after a failed build, whose error an error here would hide.
  if (!existsSync(manifest)) return found
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(manifest, 'utf8'))
  const visit = ({ file, imports = [] }: Chunk) => {
    if (found.has(file)) return
    found.add(file)
    for (const name of imports) visit(chunks[name] as Chunk)
  }
  for (const chunk of Object.values(chunks)) if (chunk.isEntry) visit(chunk)
  return found
}

function writeCompressed(name: string, text: string): void {
  writeFileSync(join(dist, name), text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
  writeFileSync(join(dist, `${name}.br`), brotliCompressSync(text, { params }))
}

export function compressWorker(): Plugin {
  return {
    name: 'rupa-compress-worker',
    apply: 'build',
    closeBundle: {
      sequential: true,
      order: 'post',
      handler: () => writeCompressed('sw.js', readFileSync(join(dist, 'sw.js'), 'utf8')),
    },
  }
}

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
