// Into which files the app's code goes.

/** What only the admin area needs. */
const isAdmins = (module: string) =>
  /\/src\/(features\/(admin\/app|custom-edits\/app\/board)|ui\/admin)\/|\/locale\/..\/admin\.po|node_modules\/(cmdk|uplot)\//.test(
    module,
  )

const shared = (area: RegExp) => (module: string) => area.test(module) && !isAdmins(module)

/**
 * Files that are made of many, the first that matches before the others. A phone far from the
 * server waits for the number of files more than for their bytes, and small ones compress badly; so
 * what the start needs comes in two, libraries and ours, and what several screens share comes by
 * area.
 */
export const chunkGroups = [
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/ },
  { name: 'shell', tags: ['$initial' as const], test: /\/(?!main\.tsx$)[^/]+\.(?:ts|tsx|po)$|preload-helper/ },
  // What the first page shares with other screens, so that it loads nothing of theirs.
  {
    name: 'first',
    test: /\/src\/(contract\/media|ui\/page-title)\.tsx?$|\/(camera|image-up|move-horizontal)\.mjs$/,
  },
  { name: 'queries', test: /node_modules\/(@tanstack\/(react-query|query-core)|jotai)\//, minShareCount: 2 },
  { name: 'icons', test: shared(/node_modules\/lucide-react\//), minShareCount: 3 },
  // Small files of many tools, which every studio needs to offer the others.
  {
    name: 'tools',
    test: /\/src\/tools\/(?:[^/]+\/)*(?:definition|icon|page|pages|stage-state|tool|tools-query|tool-list|labels)\.tsx?$/,
    includeDependenciesRecursively: true,
  },
  { name: 'mask-editor', test: /\/src\/ui\/(?:mask-editor\/|arrow-keys)|@use-gesture/, minShareCount: 3 },
  { name: 'admin-kit', test: /\/src\/ui\/admin\/.*\.tsx?$/, minShareCount: 3 },
  { name: 'common', test: shared(/\/src\/(app|ui|client|contract)\//), minShareCount: 8 },
  { name: 'offline', test: /\/(sw|src\/features\/(uploads|installed-app)\/app)\/.*\.ts$/, minShareCount: 3 },
  { name: 'account', test: /\/src\/features\/account\/(?!app\/consent\/)/, minShareCount: 3 },
  { name: 'billing', test: /\/src\/features\/billing\/app\//, minShareCount: 3 },
  { name: 'generations', test: /\/src\/features\/generations\/(?!app\/(studio|result)\/)/, minShareCount: 3 },
  { name: 'studio', test: /\/src\/features\/generations\/app\/(studio|result)\//, minShareCount: 4 },
].map((group, index, { length }) => ({ includeDependenciesRecursively: false, ...group, priority: length - index }))

const names = new Set(chunkGroups.map(({ name }) => name))

/**
 * The first page carries a list of all names: what several screens share, often a single icon, does
 * without one.
 */
export function chunkFileNames(chunk: { name: string; isDynamicEntry: boolean; moduleIds: string[] }): string {
  const folder = chunk.moduleIds.some(isAdmins) ? 'assets/admin' : 'assets'
  return `${folder}/${chunk.isDynamicEntry || names.has(chunk.name) ? '[name]-' : ''}[hash].js`
}
