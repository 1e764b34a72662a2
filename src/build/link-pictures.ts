import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type OverlayOptions } from 'sharp'
import type { LinkPicture } from '../app/prerender.tsx'
import { textCoverage, textWidth } from '../engine/image/text.ts'

/** Size of large link previews (Open Graph). */
export const linkPictureSize = { width: 1200, height: 630 }
const colours = { surface: '#faf6f0', card: '#f0dfd3', ink: '#2b211a', accent: '#bb4e2a' }
const card = { width: 560, height: 420, top: 178, lefts: [32, 608] as const }

const layer = { compressionLevel: 0 }

const frame = (width: number, height: number, fill: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="28" fill="${fill}"/></svg>`,
  )

async function words(text: string, colour: string, largest: number, room: number) {
  const size = Math.min(largest, Math.floor(room / textWidth(text)))
  const width = Math.ceil(textWidth(text) * size) + 4
  const height = Math.ceil(size * 1.4)
  const { data } = textCoverage(text, { width, height, left: 2, baseline: size, size })
  const alpha = Buffer.from(Uint8Array.from(data, (share) => Math.round(share * 255)))
  const raw = { width, height, channels: 1 as const }
  const flat = { create: { width, height, channels: 3 as const, background: colour } }
  const bytes = await sharp(flat).joinChannel(alpha, { raw }).png(layer).toBuffer()
  return { bytes, width, baseline: size }
}

/** Cached, because each photograph appears in both languages. */
const photographs = new Map<string, Promise<Buffer>>()

function photograph(name: string): Promise<Buffer> {
  const drawn = photographs.get(name) ?? drawPhotograph(name)
  photographs.set(name, drawn)
  return drawn
}

async function drawPhotograph(name: string): Promise<Buffer> {
  const bytes = await readFile(join('public', 'samples', 'tools', `${name}.avif`))
  const { width, height } = card
  return sharp(bytes)
    .resize({ width, height, kernel: 'lanczos3' })
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .composite([{ input: frame(width, height, '#fff'), blend: 'dest-in' }])
    .png(layer)
    .toBuffer()
}

async function drawing(mark: string, width: number): Promise<Buffer> {
  const size = 260
  const svg = mark
    .replace('<svg', `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"`)
    .replaceAll('var(--color-primary)', colours.accent)
    .replaceAll('currentColor', colours.ink)
  return sharp(frame(width, card.height, colours.card))
    .composite([{ input: Buffer.from(svg) }])
    .png(layer)
    .toBuffer()
}

/** Shows the page's name above an example of the tool, or above the tool's icon. */
export async function drawLinkPicture({ headline, tool, showcase, mark }: LinkPicture): Promise<Buffer> {
  const [left, right] = card.lefts
  const logo = await sharp(join('public', 'icons', 'icon.svg'), { density: 300 })
    .resize(96)
    .png(layer)
    .toBuffer()
  const title = await words(headline, colours.ink, 68, linkPictureSize.width - 4 * left - 96 - 12)
  const layers: OverlayOptions[] = [
    { input: logo, left, top: 42 },
    { input: title.bytes, left: left + 96 + 28, top: 114 - title.baseline },
  ]
  if (showcase) {
    const before = showcase === 'pair' ? await photograph(`${tool}-before`) : await drawing(mark, card.width)
    layers.push({ input: before, left, top: card.top })
    layers.push({ input: await photograph(`${tool}-after`), left: right, top: card.top })
  } else {
    layers.push({ input: await drawing(mark, right + card.width - left), left, top: card.top })
  }
  const { width, height } = linkPictureSize
  return sharp({ create: { width, height, channels: 3, background: colours.surface } })
    .composite(layers)
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer()
}
