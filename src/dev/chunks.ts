// Into which files the app's code goes.

/** What only the admin area needs. */
const isAdmins = (module: string) =>
  /\/src\/(features\/(admin\/app|custom-edits\/app\/board)|ui\/admin)\/|\/locale\/..\/admin\.po|node_modules\/(cmdk|uplot)\//.test(
    module,
  )

/** The folder that a module is in, without those that many have. */
function folderOf(module: string): string | null {
  // Not every screen that has a button has a form, whose library is large, fields or a comparison,
  // nor asks everybody for a picture, copies a text, or has a picture already.
  if (/\/src\/ui\/(admin\/)?form|\/(decode-picture|copy-text|stage-of)\.ts$/.test(module)) return null
  if (/\/src\/ui\/(field|segmented)\./.test(module)) return 'ui-fields'
  if (/\/src\/ui\/(compare-slider|use-zoom)\./.test(module)) return 'ui-comparison'
  if (/node_modules\/(@tanstack|jotai|lucide-react)\//.test(module)) return 'packages'
  // Prices are told as photos of a tool; the admin area has the other parts, but needs no tool.
  if (/\/billing\/app\/package-price\./.test(module)) return 'billing-price'
  const [, folder] = /\/src\/((?:contract|client|ui|features)(?:\/.*)?)\/[^/]+\.tsx?$/.exec(module) ?? []
  const name = folder?.replace(/features\/|\/app/g, '').replaceAll('/', '-')
  // What nearly every screen needs, in one file.
  return name && /^(client|contract|credits|ui)$/.test(name) ? 'packages' : (name ?? null)
}

/**
 * A phone far from the server waits for the number of files more than for their bytes, and small
 * ones compress badly; so what several screens share comes by layer, the first group that matches
 * before the others.
 */
export const chunkGroups = [
  // The start, in two: most updates leave the libraries as they are.
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/ },
  { name: 'shell', tags: ['$initial' as const], test: /^(?!.*\/main\.tsx$)/ },
  // Small files of many tools, which every studio needs to offer the others.
  {
    name: 'tools',
    test: /\/src\/(?:tools\/(?:[^/]+\/)*(?:correction|custom-edit-entry|definition|icon|labels|logo|page|pages|stage-state|tool|tool-icon|tool-list|tool-picture|tools-query)|ui\/mask-editor\/(?:mask-state|strokes))\.tsx?$/,
  },
  // Small files of each tool's page, some of which the first page has too.
  {
    name: 'studio-parts',
    test: /\/(?:src\/(?:tools\/ui\/object-url|client\/device\/blob-support|features\/generations\/app\/(?:draft|copied-pictures|.*\/paste-button|studio\/(?:kept-params|use-page-drop)|samples\/(?:cat|coffee)(?:-small)?))|icons\/(?:camera|clipboard-paste))\.\w+/,
  },
  // Options that several tools have.
  {
    name: 'options',
    test: /\/src\/(?:tools\/(?:ui\/(?:logo|platform)-|contract\/logo-options)|contract\/platforms)/,
  },
  { name: folderOf, minShareCount: 4 },
].map((group, index, { length }) => ({ includeDependenciesRecursively: false, ...group, priority: length - index }))

/**
 * The service worker leaves out the folder of the admin area. The start lists the names of all
 * files; seven letters tell versions apart.
 */
export const chunkFileNames = ({ moduleIds }: { moduleIds: string[] }) =>
  `assets/${moduleIds.some(isAdmins) ? 'admin/' : ''}[name]-[hash:7].js`
