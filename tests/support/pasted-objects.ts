import sharp from 'sharp'
import { dilate } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { createRandom } from '#engine/image/random.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { photo, portrait } from './composites.ts'

/** The original behind the pasted object is known. */
export interface PastedObject {
  name: string
  truth: Picture
  picture: Picture
  /** Includes a margin of some pixels. */
  mask: Plane
}

const grounds: Readonly<Record<string, readonly (readonly [x: number, y: number])[]>> = {
  astronaut: [
    [0.64, 0.22],
    [0.12, 0.3],
    [0.32, 0.88],
    [0.1, 0.55],
  ],
  brick: [
    [0.3, 0.3],
    [0.7, 0.6],
    [0.5, 0.2],
    [0.45, 0.6],
  ],
  chelsea: [
    [0.9, 0.6],
    [0.42, 0.2],
    [0.1, 0.85],
    [0.85, 0.75],
  ],
  coffee: [
    [0.9, 0.15],
    [0.1, 0.2],
    [0.93, 0.8],
    [0.05, 0.8],
  ],
  grace_hopper: [
    [0.88, 0.3],
    [0.1, 0.35],
    [0.75, 0.85],
    [0.7, 0.95],
  ],
  rocket: [
    [0.3, 0.2],
    [0.85, 0.45],
    [0.65, 0.85],
    [0.2, 0.3],
  ],
  seeding: [
    [0.75, 0.35],
    [0.5, 0.85],
    [0.6, 0.5],
    [0.65, 0.75],
  ],
}
/** Covered shares, including margins. */
const shares = [0.015, 0.04, 0.09, 0.18]
const margin = 3

/**
 * A person or a cup of several sizes before each photograph's background, the same each time; given
 * photographs get them anywhere.
 */
export async function pastedObjects(
  photographs?: readonly { name: string; bytes: Uint8Array }[],
): Promise<PastedObject[]> {
  const chosen = photographs ?? Object.keys(grounds).map((name) => ({ name, bytes: photo(`${name}.jpg`) }))
  const objects = [await person(), await cup()]
  const random = createRandom(5)
  const all: PastedObject[] = []
  for (const [p, { name, bytes }] of chosen.entries()) {
    const truth = await decodePicture(
      await sharp(bytes).rotate().resize(640, 640, { fit: 'inside', withoutEnlargement: true }).png().toBuffer(),
    )
    for (const [s, share] of shares.entries()) {
      const object = await scaled(objects[(p + s) % objects.length] as Picture, share * truth.width * truth.height)
      const [x, y] = grounds[name]?.[s] ?? [random(1000) / 1000, random(1000) / 1000]
      const within = (middle: number, own: number, whole: number) =>
        Math.max(0, Math.min(whole - own, Math.round(middle * whole - own / 2)))
      const left = within(x, object.width, truth.width)
      const top = within(y, object.height, truth.height)
      all.push({ name: `${name}, ${(100 * share).toFixed(1)} %`, ...paste(truth, object, left, top) })
    }
  }
  return all
}

async function person(): Promise<Picture> {
  return { width: 512, height: 512, data: new Uint8ClampedArray(await portrait(512)) }
}

async function cup(): Promise<Picture> {
  const [picture, alpha] = await Promise.all([
    decodePicture(photo('coffee.jpg')),
    sharp(photo('coffee.alpha.png')).toColourspace('b-w').raw().toBuffer(),
  ])
  const data = picture.data.slice()
  for (let i = 0; i < alpha.length; i++) data[4 * i + 3] = alpha[i] as number
  return { ...picture, data }
}

/** Cropped to its opaque part, covering `area` pixels. */
async function scaled({ width, height, data }: Picture, area: number): Promise<Picture> {
  let [left, right, top, bottom, count] = [width, 0, height, 0, 0]
  for (let i = 0; i < width * height; i++) {
    if ((data[4 * i + 3] as number) < 25) continue
    const [x, y] = [i % width, Math.floor(i / width)]
    ;[left, right, top, bottom] = [Math.min(left, x), Math.max(right, x + 1), Math.min(top, y), Math.max(bottom, y + 1)]
    count++
  }
  const scale = Math.sqrt(area / count)
  const { data: raw, info } = await sharp(Buffer.from(data), { raw: { width, height, channels: 4 } })
    .extract({ left, top, width: right - left, height: bottom - top })
    .resize(Math.round((right - left) * scale), Math.round((bottom - top) * scale), { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(raw) }
}

function paste(truth: Picture, object: Picture, left: number, top: number): Omit<PastedObject, 'name'> {
  const data = truth.data.slice()
  const marks = createPlane(truth.width, truth.height)
  for (let y = 0; y < object.height; y++) {
    for (let x = 0; x < object.width; x++) {
      const [from, u, v] = [4 * (y * object.width + x), left + x, top + y]
      const alpha = (object.data[from + 3] as number) / 255
      if (alpha < 0.02 || u >= truth.width || v >= truth.height) continue
      const at = v * truth.width + u
      marks.data[at] = 1
      for (let c = 0; c < 3; c++) {
        const under = truth.data[4 * at + c] as number
        data[4 * at + c] = under + alpha * ((object.data[from + c] as number) - under)
      }
    }
  }
  return { truth, picture: { ...truth, data }, mask: dilate(marks, margin) }
}
