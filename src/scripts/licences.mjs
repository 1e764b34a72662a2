// Writes docs/licences.md from the lockfile; called by src/scripts/lockfile.mjs.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

const modules = 'node_modules/'

/** `[name, version, licence, development]` of each package version. */
export function licencesOf({ packages }) {
  const found = Object.entries(packages).flatMap(([path, entry]) => {
    if (path === '') return []
    const name = entry.name ?? path.slice(path.lastIndexOf(modules) + modules.length)
    return [[name, entry.version, entry.license ?? inWords[name] ?? ofFamily(packages, name), Boolean(entry.dev)]]
  })
  const known = new Map(found.map((row) => [`${row[0]}@${row[1]}`, row]))
  return [...known.values()].sort(([one, first], [other, second]) =>
    `${one}@${first}`.localeCompare(`${other}@${second}`, 'en'),
  )
}

/** Packages whose licence is in a file instead of package.json. */
const inWords = { 'png-js': 'MIT', 'combine-errors': 'MIT' }

/** A binary for another system has the licence of its package. */
function ofFamily(packages, name) {
  const parent = Object.values(packages).find(({ optionalDependencies = {} }) => name in optionalDependencies)
  return parent?.license ?? 'unknown'
}

export function licenceList(lock) {
  const rows = licencesOf(lock).map(
    ([name, version, licence, dev]) => `| ${name} | ${version} | ${licence} | ${dev ? 'development' : 'running'} |`,
  )
  return `# Licences of all packages\n\nMade by \`node src/scripts/lockfile.mjs\`. Those for development build and test the app; the app's own code goes into what\nbrowsers load.\n\n| package | version | licence | used for |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

export function writeLicences(lock) {
  writeFileSync(join(root, 'docs', 'licences.md'), licenceList(lock))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeLicences(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
}
