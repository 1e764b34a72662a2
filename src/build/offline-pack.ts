import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'
import { brotliQuality } from './compression.ts'

interface Entry {
  url: string
  revision: string | null
}
interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
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

/** Already on the device before the worker is installed. */
function firstFiles(): Set<string> {
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, 'vite-manifest.json'), 'utf8'))
  const found = new Set<string>()
  const visit = ({ file, imports = [], css = [] }: Chunk) => {
    if (found.has(file)) return
    for (const name of [file, ...css]) found.add(name)
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
