// The lockfile says where each package lies at a registry: without that npm asks for all that is
// known of every package first, which takes as long as installing them. Which registry is its
// user's choice (.npmrc has npm put it in the place of this one), so the lockfile names none.
// Binaries of other systems that the registry in use does not have are named too, for `npm ci`
// refuses a lockfile without them. `node src/dev/lockfile.mjs` puts it right after a package was
// added (`npm install --package-lock-only` first: beside a node_modules npm forgets other systems).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeLicences } from './licences.mjs'
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

/** Optional packages that packages of the lockfile name, and that it lacks: `[name, version]`. */
export function missingOptional({ packages }) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).filter(
      ([name]) => !packages[`${path}/${modules}${name}`] && !packages[modules + name],
    ),
  )
}

/** The lockfile with what it lacks, each for the system that its name says. */
export function withOtherSystems(lock) {
  const added = missingOptional(lock).map(([name, version]) => {
    const [, os, cpu, abi] = /-(darwin|linux|win32)-(x64|arm64|arm)(?:-(\w+))?$/.exec(name) ?? []
    if (!os) throw new Error(`the lockfile lacks ${name}, and its name says no system`)
    const libc = os === 'linux' && { libc: [abi === 'musl' ? 'musl' : 'glibc'] }
    return [modules + name, { version, cpu: [cpu], ...libc, optional: true, os: [os] }]
  })
  const packages = Object.entries(lock.packages).concat(added)
  return { ...lock, packages: Object.fromEntries(packages.sort(([one], [other]) => one.localeCompare(other, 'en'))) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = join(root, 'package-lock.json')
  const lock = atNoRegistry(withOtherSystems(JSON.parse(readFileSync(file, 'utf8'))))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  writeLicences(lock)
}
