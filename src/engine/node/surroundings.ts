import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Surroundings } from '#engine/image/light-probe.ts'
import { photoProbe } from '#engine/image/photo-probe.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { imageLimits } from '#shared/media.ts'
import { EngineError } from '../error.ts'
import { type AddedLocation, type AnyLocationId, isAddedLocation, type LocationId } from '../scenes.ts'
import { decodePicture } from './codecs.ts'
import { isProbe, readProbe } from './probe-file.ts'

const require = createRequire(import.meta.url)

/** An added location with its file. */
export type LocationFile = Pick<AddedLocation, 'id' | 'version' | 'exposure'> & { path: string }

/** Surroundings kept per thread: a probe takes 1.5 to 6 MB and up to 0.2 s of decoding. */
const maxKept = 4
const kept = new Map<string, Promise<Surroundings>>()

/** A version's file never changes, so its number is enough to find decoded surroundings. */
export function readSurroundings(id: AnyLocationId, files: readonly LocationFile[]): Promise<Surroundings> {
  if (!isAddedLocation(id)) return remembered(id, () => readBuiltIn(id))
  const file = files.find((location) => location.id === id)
  if (!file) return Promise.reject(new EngineError('tool.scene_removed'))
  return remembered(`${id} ${file.version}`, async () => {
    return { ...(await decodeSurroundings(await readFile(file.path))), exposure: file.exposure }
  })
}

function remembered(key: string, read: () => Promise<Surroundings>): Promise<Surroundings> {
  const known = kept.get(key)
  const found = known ?? read()
  kept.delete(key)
  kept.set(key, found)
  if (!known) found.catch(() => kept.delete(key))
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break
    kept.delete(oldest)
  }
  return found
}

/** Longest side of a photograph: it is shown out of focus. */
const photoSide = 1600

/** Decodes a probe or a photograph of a place, reduced. Throws the refusal of the file. */
export async function decodeSurroundings(bytes: Uint8Array): Promise<Surroundings> {
  if (isProbe(bytes)) return { probe: readProbe(bytes) }
  if (bytes.length > imageLimits.bytes) throw new EngineError('upload.too_large')
  const whole = await decodePicture(bytes).catch((error: unknown) => {
    const isNone = error instanceof EngineError && error.code === 'upload.not_image'
    throw isNone ? new EngineError('upload.not_scene', { cause: error }) : error
  })
  const { width, height } = fitWithin(whole, photoSide)
  const part = { x: 0, y: 0, width: whole.width, height: whole.height }
  const photo = width === whole.width ? whole : resamplePart(whole, part, width, height)
  return { photo, probe: photoProbe(photo) }
}

/** A probe of the package `@pmndrs/assets` (Poly Haven, CC0), 512 × 256 pixels. */
async function readBuiltIn(id: LocationId): Promise<Surroundings> {
  const name = id === 'studio-room' ? 'studio' : id
  // The module is read as text: an import would keep its base64 string in memory.
  const text = await readFile(require.resolve(`@pmndrs/assets/hdri/${name}.exr.js`), 'utf8')
  return { probe: readProbe(Buffer.from(text.slice(text.indexOf('base64,') + 'base64,'.length), 'base64')) }
}
