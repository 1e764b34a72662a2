import { EngineError } from '#engine/error.ts'
import type { EngineHost, Face } from '#engine/host.ts'
import { scaleBox } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import { placeMesh } from '#engine/tasks/faces/index.ts'
import { frameHead, headView } from '#engine/tasks/headshot/index.ts'
import { sampleSize } from '../contract/definition.ts'

const samplePixels = 240_000

/**
 * RGBA of {@link sampleSize}, base64: the device shows each backdrop behind it. Also tells whether
 * the photograph is too tight for the frame, parts of its background may be left, or nothing is
 * below the head; an error code if no person can be cut out.
 */
export async function sampleCutOut(
  picture: Picture,
  face: Face,
  others: readonly Face[],
  host: EngineHost,
): Promise<{ cutOut: string; tight: boolean; remnants: boolean; bodiless: boolean } | EngineError['code']> {
  const { width, height } = fitArea(picture, samplePixels)
  const scale = width / picture.width
  const reduced = (one: Face): Face => {
    return { ...one, box: scaleBox(one.box, scale, scale), points: placeMesh(one.points, 0, 0, scale) }
  }
  try {
    const small = await host.resize(picture, width, height)
    const view = await headView(small, reduced(face), others.map(reduced), host)
    const frame = frameHead(view, sampleSize.width / sampleSize.height)
    const enlarge = sampleSize.height / frame.height
    const placement = { scale: enlarge, angle: 0, x: -frame.x * enlarge, y: -frame.y * enlarge }
    const { data } = resamplePicture(view.picture, placement, sampleSize.width, sampleSize.height)
    const { remnants, bodiless } = view
    return { cutOut: base64(data), tight: frame.tight, remnants, bodiless }
  } catch (error) {
    host.signal.throwIfAborted()
    if (error instanceof EngineError) return error.code
    throw error
  }
}

function base64(bytes: Uint8ClampedArray): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
