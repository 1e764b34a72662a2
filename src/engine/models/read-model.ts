import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type ModelName, models } from './registry.ts'

const require = createRequire(import.meta.url)

/** Folder of an installed package whose `exports` do not let it be resolved by name. */
export function packageFolder(name: string): string {
  for (const folder of require.resolve.paths(name) ?? []) {
    const path = join(folder, name)
    if (existsSync(path)) return path
  }
  throw new Error(`the package ${name} is not installed`)
}

/**
 * The files of a model in the order of the registry. Throws when one is missing or is not the one
 * that the registry describes.
 */
export function readModel(name: ModelName): Uint8Array[] {
  const { package: from, folder, files } = models[name]
  return Object.entries<{ bytes: number; sha256: string }>(files).map(([file, { bytes, sha256 }]) => {
    const content = readFileSync(join(packageFolder(from), folder, file))
    const same = content.length === bytes && createHash('sha256').update(content).digest('hex') === sha256
    if (!same) throw new Error(`${file} of the package ${from} is not the model that is expected`)
    return content
  })
}
