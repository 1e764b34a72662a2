// The lockfile says where each package lies at a registry: without that npm asks for all that is
// known of every package first, which takes as long as installing them. Which registry is its
// user's choice (.npmrc has npm put it in the place of this one), so the lockfile names none.
// `node src/dev/lockfile.mjs` puts it right after a package was added.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

/** No host has a name that ends so (RFC 2606). */
const registry = 'https://registry.invalid'
const modules = 'node_modules/'

/** The lockfile of npm with the address of each package, at no registry. */
export function atNoRegistry(lock) {
  const packages = Object.entries(lock.packages).map(([path, { resolved: _, ...entry }]) => {
    if (path === '') return [path, entry]
    const { version, ...others } = entry
    const name = entry.name ?? path.slice(path.lastIndexOf(modules) + modules.length)
    const file = `${name.split('/').at(-1)}-${version}.tgz`
    return [path, { version, resolved: `${registry}/${name}/-/${file}`, ...others }]
  })
  return { ...lock, packages: Object.fromEntries(packages) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify(atNoRegistry(lock), null, 2)}\n`)
}
