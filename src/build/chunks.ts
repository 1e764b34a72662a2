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

/** True for shared modules that neither the first page nor a tool's page needs at its start. */
const isForOtherScreens = (module: string) =>
  /lucide-react\/.*\/icons\//.test(module)
    ? !firstIcons.test(module)
    : /\/@tanstack\/.*\/(infiniteQueryObserver|mutationObserver|useInfiniteQuery|useMutation)\.js$/.test(module) ||
      /\/src\/(shared\/(credentials|local-path)|client\/(save-blob|trusted-script|wib)|ui\/(actions|option-tabs)|features\/credits\/.*)\.ts$/.test(
        module,
      )

/** Null for modules used by several folders. */
function folderOf(module: string): string | null {
  // Modules that only some screens need, such as the large form library and picture decoding.
  if (/\/src\/ui\/((admin\/)?form|lists\/search-input)|\/(decode-picture|stage-of)\.ts$/.test(module)) return null
  if (/\/src\/ui\/(field|segmented)\./.test(module)) return 'ui-fields'
  if (/\/src\/ui\/(compare-slider|use-zoom)\./.test(module)) return 'ui-comparison'
  if (editorIcons.test(module)) return 'editor-icons'
  if (isForOtherScreens(module)) return 'screen-parts'
  if (/node_modules\/(@tanstack|jotai|lucide-react)\//.test(module)) return 'packages'
  // Consents and the user's age are asked for together, before something is sent.
  if (/\/guardians\/app\/guardians\.ts$/.test(module)) return 'account-consent'
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
    test: /\/src\/(?:tools\/(?:[^/]+\/)*(?:correction|custom-edit-entry|definition|icon|labels|logo|page|pages|stage-state|tool|tool-list|tool-picture|tools-query)|engine\/(?:platforms|scenes|tasks\/layout\/page)|features\/generations\/(?:rules|app\/picture)|ui\/mask-editor\/strokes)\.tsx?$/,
  },
  // Small modules of tools' pages, some of which the first page uses too.
  {
    name: 'studio-parts',
    test: /\/(?:src\/(?:tools\/ui\/object-url|client\/device\/blob-support|features\/generations\/app\/(?:draft|copied-pictures|.*\/paste-and-drop|studio\/kept-params|samples\/(?:cat|coffee)(?:-small)?))|icons\/(?:camera|clipboard-paste|lightbulb))\.\w+/,
  },
  {
    name: 'options',
    test: /\/src\/tools\/ui\/(?:logo|platform)-/,
  },
  { name: folderOf, minShareCount: 5 },
].map((group, index, { length }) => ({ includeDependenciesRecursively: false, ...group, priority: length - index }))

/** The service worker excludes the admin folder. Seven characters distinguish versions. */
export const chunkFileNames = ({ moduleIds }: { moduleIds: string[] }) =>
  `assets/${moduleIds.some(isAdmins) ? 'admin/' : ''}[name]-[hash:7].js`
