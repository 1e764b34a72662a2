import { readFileSync } from 'node:fs'
import sharp from 'sharp'

const photos = new URL('../fixtures/photos/', import.meta.url)

export function photo(name: string): Buffer {
  return readFileSync(new URL(name, photos))
}

export interface Composite {
  width: number
  height: number
  png: Buffer
  alpha: Buffer
}

/** From 0 to 1 across and down. */
function painted(paint: (x: number, y: number) => readonly number[]): () => Promise<Buffer> {
  return once(() => {
    const raw = Buffer.alloc(512 * 512 * 3)
    for (let y = 0; y < 512; y++) {
      for (let x = 0; x < 512; x++) raw.set(paint(x / 512, y / 512).map(Math.round), 3 * (512 * y + x))
    }
    return sharp(raw, { raw: { width: 512, height: 512, channels: 3 } })
      .png({ compressionLevel: 1 })
      .toBuffer()
  })
}

type Colour = readonly [number, number, number]
const gradient = (from: Colour, to: Colour) =>
  painted((x, y) => from.map((value, c) => value + (to[c]! - value) * ((x + y) / 2)))

function once(make: () => Promise<Buffer>): () => Promise<Buffer> {
  let made: Promise<Buffer> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Encoded; callers must not write to them. */
export const backgrounds: Record<string, () => Promise<Buffer>> = {
  sky: gradient([207, 230, 255], [58, 120, 201]),
  sunset: gradient([255, 178, 94], [112, 42, 85]),
  studio: gradient([140, 140, 140], [196, 196, 196]),
  leaves: gradient([44, 90, 32], [154, 193, 74]),
  tiles: painted((x, y) => {
    const shade = 110 + ((Math.floor(x * 8) * 53 + Math.floor(y * 8) * 29) % 90)
    return (x * 8) % 1 < 0.03 || (y * 8) % 1 < 0.03 ? [85, 85, 68] : [shade, shade - 20, shade - 60]
  }),
  petals: painted((x, y) => {
    // In the colours of the astronaut's suit.
    const inDisc = (u: number, v: number, radius: number) => (x - u) ** 2 + (y - v) ** 2 < radius ** 2
    if (inDisc(0.15, 0.35, 0.22) || inDisc(0.9, 0.7, 0.18)) return [225, 78, 38]
    if (inDisc(0.8, 0.2, 0.2) || inDisc(0.2, 0.9, 0.25)) return [198, 52, 30]
    return [240, 120 + 60 * y, 70]
  }),
  cat: () => sharp(photo('chelsea.jpg')).png().toBuffer(),
  table: () => sharp(photo('coffee.jpg')).resize(512, 512, { fit: 'cover' }).blur(6).png().toBuffer(),
}

const wholePortrait = once(async () => {
  const matte = await sharp(photo('astronaut.alpha.png')).toColourspace('b-w').raw().toBuffer()
  for (let i = 0; i < matte.length; i++) matte[i] = matte[i]! > 247 ? 255 : matte[i]! < 8 ? 0 : matte[i]!
  const rgb = await withoutHalo(await sharp(photo('astronaut.jpg')).raw().toBuffer(), matte, 512)
  const rgba = Buffer.alloc(512 * 512 * 4)
  for (let i = 0; i < matte.length; i++) rgba.set([rgb[3 * i]!, rgb[3 * i + 1]!, rgb[3 * i + 2]!, matte[i]!], 4 * i)
  return rgba
})

export async function portrait(side: number): Promise<Buffer> {
  return sharp(await wholePortrait(), { raw: { width: 512, height: 512, channels: 4 } })
    .resize(side, side)
    .raw()
    .toBuffer()
}

/** Scaled, on the lower edge, `left` pixels from the left. */
export async function compose(
  background: string,
  width: number,
  height: number,
  scale: number,
  left: number,
): Promise<Composite> {
  const side = Math.round(512 * scale)
  const subject = await portrait(side)
  const ground = await sharp(await backgrounds[background]!())
    .removeAlpha()
    .resize(width, height, { fit: 'cover' })
    .raw()
    .toBuffer()
  const alpha = Buffer.alloc(width * height)
  for (let y = Math.max(0, height - side); y < height; y++) {
    for (let x = Math.max(0, left); x < Math.min(width, left + side); x++) {
      const from = ((y - height + side) * side + x - left) * 4
      const level = subject[from + 3]!
      const at = y * width + x
      alpha[at] = level
      for (let c = 0; c < 3; c++) {
        ground[3 * at + c] = Math.round((subject[from + c]! * level + ground[3 * at + c]! * (255 - level)) / 255)
      }
    }
  }
  const png = await sharp(ground, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return { width, height, png, alpha }
}

/** Spreads the subject's colours over its translucent edge. */
async function withoutHalo(rgb: Buffer, matte: Buffer, side: number): Promise<Buffer> {
  const out = Buffer.from(rgb)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const at = y * side + x
      if (matte[at] === 255) continue
      const sum = [0, 0, 0]
      let weight = 0
      for (let v = Math.max(0, y - 5); v <= Math.min(side - 1, y + 5); v++) {
        for (let u = Math.max(0, x - 5); u <= Math.min(side - 1, x + 5); u++) {
          const near = v * side + u
          if (matte[near]! < 250) continue
          const share = 1 / (1 + (u - x) ** 2 + (v - y) ** 2)
          weight += share
          for (let c = 0; c < 3; c++) sum[c]! += share * rgb[3 * near + c]!
        }
      }
      if (weight > 0) for (let c = 0; c < 3; c++) out[3 * at + c] = Math.round(sum[c]! / weight)
    }
  }
  return out
}

/** Intersection over union of alpha above 0.5, and mean difference from 0 to 1. */
export function compareAlpha(found: Uint8Array, truth: Uint8Array): { overlap: number; difference: number } {
  let both = 0
  let either = 0
  let difference = 0
  for (let i = 0; i < truth.length; i++) {
    const [a, b] = [found[i]! > 127, truth[i]! > 127]
    if (a && b) both++
    if (a || b) either++
    difference += Math.abs(found[i]! - truth[i]!) / 255
  }
  return { overlap: both / either, difference: difference / truth.length }
}
