// Makes the lockfile independent of a registry, which is the user's choice (.npmrc). Without
// addresses npm requests the metadata of every package first, which takes as long as installing.
// Binaries of other systems are listed, since `npm ci` refuses a lockfile without them. Run `node
// src/scripts/lockfile.mjs` after adding a package (and `npm install --package-lock-only` before:
// beside a node_modules npm drops other systems).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeLicences } from './licences.mjs'
import { root } from './run.mjs'

/** Reserved top-level domain (RFC 2606). */
const registry = 'https://registry.invalid'
const modules = 'node_modules/'

/** Registry-neutral package addresses. */
export function withoutRegistryAddresses(lock) {
  const packages = Object.entries(lock.packages).map(([path, { resolved: _, ...entry }]) => {
    if (path === '') return [path, entry]
    const { version, ...others } = entry
    const name = entry.name ?? path.slice(path.lastIndexOf(modules) + modules.length)
    const file = `${name.split('/').at(-1)}-${version}.tgz`
    return [path, { version, resolved: `${registry}/${name}/-/${file}`, ...others }]
  })
  return { ...lock, packages: Object.fromEntries(packages) }
}

/** Optional packages that others name and the lockfile lacks. */
export function missingOptional({ packages }) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).filter(
      ([name]) => !packages[`${path}/${modules}${name}`] && !packages[modules + name],
    ),
  )
}

/** Adds missing optional packages, each for the system in its name. */
export function withOtherSystems(lock) {
  const added = missingOptional(lock).map(([name, version]) => {
    const [, os, cpu, abi] = /-(darwin|linux|win32)-(x64|arm64|arm)(?:-(\w+))?$/.exec(name) ?? []
    if (!os) throw new Error(`the lockfile lacks ${name}, and its name contains no platform`)
    const libc = os === 'linux' && { libc: [abi === 'musl' ? 'musl' : 'glibc'] }
    return [modules + name, { version, cpu: [cpu], ...libc, optional: true, os: [os] }]
  })
  const packages = Object.entries(lock.packages).concat(added)
  return { ...lock, packages: Object.fromEntries(packages.sort(([one], [other]) => one.localeCompare(other, 'en'))) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = join(root, 'package-lock.json')
  const lock = withoutRegistryAddresses(withOtherSystems(JSON.parse(readFileSync(file, 'utf8'))))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  writeLicences(lock)
}
