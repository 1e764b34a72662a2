import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { root } from './run.mjs'

const target = join(root, 'sheets')
const tile = 420
const caption = 22

/** A picture of the engine for sharp. */
export const imageOf = ({ width, height, data }) => sharp(Buffer.from(data), { raw: { width, height, channels: 4 } })

export async function writeSheet(name, rows) {
  mkdirSync(target, { recursive: true })
  const columns = Math.max(...rows.map((row) => row.length))
  const step = { across: tile + 4, down: tile + caption + 4 }
  const tiles = await Promise.all(
    rows.flatMap((row, y) =>
      row.flatMap((given, x) => {
        const { picture, text = '' } = given.data ? { picture: given } : given
        const [left, top] = [x * step.across, y * step.down]
        const label = text ? [labelOf(text).then((input) => ({ input, left, top: top + tile + 2 }))] : []
        if (!picture) return label
        const image = imageOf(picture).flatten({ background: '#888' }).resize(tile, tile, { fit: 'inside' })
        return [
          image
            .png()
            .toBuffer()
            .then((input) => ({ input, left, top })),
          ...label,
        ]
      }),
    ),
  )
  const size = { width: columns * step.across, height: rows.length * step.down }
  await sharp({ create: { ...size, channels: 3, background: '#333' } })
    .composite(tiles)
    .png()
    .toFile(join(target, `${name}.png`))
  console.log(`sheets/${name}.png`)
}

/** Raw pixels: the engine restricts libvips to photographs, so labels cannot be SVG. */
async function labelOf(text) {
  const safe = text.replace(/[<&]/g, ' ')
  const line = { text: `<span foreground="#dddddd">${safe}</span>`, rgba: true, dpi: 84, font: 'sans' }
  const { data, info } = await sharp({ text: line }).raw().toBuffer({ resolveWithObject: true })
  const size = { width: Math.min(info.width, tile), height: Math.min(info.height, caption) }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
    .extract({ left: 0, top: 0, ...size })
    .png()
    .toBuffer()
}
