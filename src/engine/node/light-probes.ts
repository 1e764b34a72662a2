import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { readExr } from 'hdrify'
import { type LightProbe, repairProbe } from '#engine/image/light-probe.ts'
import type { LocationId } from '../scenes.ts'

const require = createRequire(import.meta.url)

/** Probes kept per thread: one takes 1.5 MB and 0.2 s of decoding. */
const maxKept = 4
const kept = new Map<LocationId, Promise<LightProbe>>()

/** Reads a probe of the package `@pmndrs/assets` (Poly Haven, CC0), 512 × 256 pixels. */
export function readLocationProbe(id: LocationId): Promise<LightProbe> {
  const known = kept.get(id)
  const probe = known ?? decode(id)
  kept.delete(id)
  kept.set(id, probe)
  if (!known) probe.catch(() => kept.delete(id))
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break
    kept.delete(oldest)
  }
  return probe
}

async function decode(id: LocationId): Promise<LightProbe> {
  const name = id === 'studio-room' ? 'studio' : id
  // The module is read as text: an import would keep its base64 string in memory.
  const text = await readFile(require.resolve(`@pmndrs/assets/hdri/${name}.exr.js`), 'utf8')
  const bytes = Buffer.from(text.slice(text.indexOf('base64,') + 'base64,'.length), 'base64')
  const { width, height, data } = readExr(new Uint8Array(bytes))
  const rgb = new Float32Array(3 * width * height)
  for (let i = 0, k = 0; i < data.length; i += 4, k += 3) rgb.set(data.subarray(i, i + 3), k)
  return repairProbe({ width, height, data: rgb })
}
