import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Surroundings } from '#engine/image/light-probe.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { writeRadiance } from '#engine/image/radiance.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { composePaddies } from '#engine/tasks/background/composed/paddies.ts'
import { composeSeashore, seashores } from '#engine/tasks/background/composed/seashore.ts'
import { composeTerrace } from '#engine/tasks/background/composed/terrace.ts'
import { cameraOf, locationLight, neutralWishes, renderLocation } from '#engine/tasks/background/index.ts'
import { imageLimits } from '#shared/media.ts'
import { EngineError } from '../error.ts'
import type { LightProbe } from '../image/light-probe.ts'
import type { Picture } from '../image/picture.ts'
import { type AddedLocation, type AnyLocationId, isAddedLocation, type LocationId } from '../scenes.ts'
import { decodePicture, resizePicture } from './codecs.ts'
import { encodeOutput } from './encode-output.ts'
import { isProbe, readProbe } from './probe-file.ts'
import type { TaskFile } from './task-files.ts'

const size = { width: 64, height: 32 } as const

/**
 * Light around a photograph's place: the half of the sphere ahead shows the photograph, and the
 * half behind the camera its mirror image (Khan et al. 2006). Enough for the soft light of a
 * subject, not for reflections.
 */
function photoProbe({ width, height, data }: Picture): LightProbe {
  const probe = new Float32Array(3 * size.width * size.height)
  for (let y = 0, at = 0; y < size.height; y++) {
    const rows = [y, y + 1].map((edge) => Math.floor((edge * height) / size.height))
    for (let x = 0; x < size.width; x++, at += 3) {
      // Longitudes from −1 to 1 half turn; beyond a quarter turn the picture runs back.
      const ahead = (edge: number) => {
        const longitude = Math.abs((2 * edge) / size.width - 1)
        const mirrored = Math.min(longitude, 1 - longitude)
        return 0.5 + Math.sign(edge - size.width / 2) * mirrored
      }
      const columns = [ahead(x), ahead(x + 1)].map((share) => Math.floor(share * width)).sort((a, b) => a - b)
      probe.set(meanLight(data, width, { rows, columns }), at)
    }
  }
  return { ...size, data: probe }
}

const linear = Float32Array.from({ length: 256 }, (_, level) => {
  const value = level / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

function meanLight(
  data: Picture['data'],
  width: number,
  { rows, columns }: { rows: number[]; columns: number[] },
): [red: number, green: number, blue: number] {
  const [top = 0, bottom = 0] = rows
  const [left = 0, right = 0] = columns
  const sums: [number, number, number] = [0, 0, 0]
  let count = 0
  const end = { x: Math.min(width, Math.max(right, left + 1)), y: Math.max(bottom, top + 1) }
  // A few pixels of each part are as good as all.
  const step = Math.max(1, Math.floor((end.x - left) / 6))
  for (let y = Math.min(top, data.length / 4 / width - 1); y < end.y; y += step) {
    for (let x = Math.min(left, width - 1); x < end.x; x += step, count++) {
      for (let c = 0; c < 3; c++)
        sums[c] = (sums[c] as number) + (linear[data[4 * (y * width + x) + c] as number] as number)
    }
  }
  return sums.map((sum) => sum / Math.max(1, count)) as [number, number, number]
}

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
async function decodeSurroundings(bytes: Uint8Array): Promise<Surroundings> {
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

/** Locations that are made of another one. */
const composed: { [Id in LocationId]?: { of: LocationId; compose: (probe: LightProbe) => LightProbe } } = {
  beach: { of: 'sky', compose: (probe) => composeSeashore(probe, seashores.day) },
  'beach-sunset': { of: 'sunset', compose: (probe) => composeSeashore(probe, seashores.sunset) },
  'rice-field': { of: 'sunrise', compose: composePaddies },
  'cafe-terrace': { of: 'venice', compose: composeTerrace },
}

/** A probe of the package `@pmndrs/assets` (Poly Haven, CC0), 512 × 256 pixels, or made of one. */
async function readBuiltIn(id: LocationId): Promise<Surroundings> {
  const made = composed[id]
  if (made) return { probe: made.compose((await readBuiltIn(made.of)).probe) }
  const name = id === 'studio-room' ? 'studio' : id
  // The module is read as text: an import would keep its base64 string in memory.
  const text = await readFile(require.resolve(`@pmndrs/assets/hdri/${name}.exr.js`), 'utf8')
  return { probe: readProbe(Buffer.from(text.slice(text.indexOf('base64,') + 'base64,'.length), 'base64')) }
}

/** Pixels of the sample in lists, and factor of the larger picture it is drawn from. */
const sample = { width: 270, height: 360, scale: 2 } as const
const keptQuality = 90

/**
 * Encodes what of a location's file is kept, so that no stored file is one that was sent, and a
 * sample of its first view.
 */
export async function encodeLocation(id: AnyLocationId, around: Surroundings): Promise<TaskFile[]> {
  return [await keptFile(around), await sampleOf(id, around)]
}

async function keptFile({ probe, photo }: Surroundings): Promise<TaskFile> {
  const { width, height } = photo ?? probe
  if (!photo) {
    const bytes = writeRadiance(probe)
    return { label: 'probe', contentType: 'image/vnd.radiance', extension: 'hdr', bytes, width, height }
  }
  const bytes = await encodeOutput(photo, { format: 'webp', quality: keptQuality })
  return { label: 'photo', contentType: 'image/webp', extension: 'webp', bytes, width, height }
}

async function sampleOf(id: AnyLocationId, around: Surroundings): Promise<TaskFile> {
  const { width, height, scale } = sample
  const large = { width: width * scale, height: height * scale }
  // The middle of the picture is free for a person in front of it.
  const camera = cameraOf(large, { eyes: 0.4, head: 0.42 })
  const { balance } = locationLight(around, id, 1)
  const view = renderLocation(around, { ...large, id, seed: 1, wishes: neutralWishes(), camera, balance })
  const bytes = await encodeOutput(await resizePicture(view, width, height), { format: 'webp', quality: 76 })
  return { label: 'sample', contentType: 'image/webp', extension: 'webp', bytes, width, height }
}
