// Contact sheets to judge the picture engine by eye: `npm run sheets` makes all of them from the photographs of the tests,
// `npm run sheets -- holes coloured` only these, and a folder among the words takes its photographs. They lie in `sheets/`.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { decodePicture } from '../engine/node/codecs.ts'
import { createNodeHost } from '../engine/node/host.ts'
import { frameHead } from '../engine/portrait/studio/frame.ts'
import { renderPortrait } from '../engine/portrait/studio/portrait.ts'
import { headView } from '../engine/portrait/studio/view.ts'
import { swapFace } from '../engine/portrait/swap/swap-face.ts'
import { findFacesAnyhow } from '../engine/portrait/upright-face.ts'
import { faceCutout } from '../tools/face-cutout/contract.ts'
import { faceCutoutEngine } from '../tools/face-cutout/engine.ts'
import { passportPhoto } from '../tools/passport-photo/contract.ts'
import { passportPhotoEngine } from '../tools/passport-photo/engine.ts'
import { pictureSheets } from './picture-sheets.mjs'
import { root } from './run.mjs'

const sheets = { ...pictureSheets, headshots, swaps, passports, cutouts }
const words = process.argv.slice(2)
const folder = words.find((word) => existsSync(word)) ?? join(root, 'tests', 'fixtures', 'photos')
const wanted = words.filter((word) => !existsSync(word))
const unknown = wanted.filter((word) => !Object.hasOwn(sheets, word))
if (unknown.length > 0) {
  console.error(`There is no sheet called ${unknown.join(' or ')}; there are ${Object.keys(sheets).join(', ')}.`)
  process.exit(1)
}
const target = join(root, 'sheets')
const tile = 420
mkdirSync(target, { recursive: true })

const names = readdirSync(folder).filter((name) => /(?<!alpha)\.(jpe?g|png|webp)$/.test(name))
const load = async (name, side) =>
  decodePicture(await sharp(join(folder, name)).rotate().resize(side, side, { fit: 'inside' }).png().toBuffer())
const image = ({ width, height, data }) => sharp(Buffer.from(data), { raw: { width, height, channels: 4 } })
const host = createNodeHost(new AbortController().signal, () => {})

for (const [name, make] of Object.entries(sheets)) {
  if (wanted.length === 0 || wanted.includes(name))
    await writeSheet(name, await make({ names, folder, load, image, host }))
}

/** Rows of pictures, one below the other. */
async function writeSheet(name, rows) {
  const columns = Math.max(...rows.map((row) => row.length))
  const tiles = await Promise.all(
    rows.flatMap((row, y) =>
      row.map(async (picture, x) => ({
        input: await image(picture).resize(tile, tile, { fit: 'inside' }).png().toBuffer(),
        left: x * (tile + 4),
        top: y * (tile + 4),
      })),
    ),
  )
  const size = { width: columns * (tile + 4), height: rows.length * (tile + 4) }
  await sharp({ create: { ...size, channels: 3, background: '#333' } })
    .composite(tiles)
    .png()
    .toFile(join(target, `${name}.png`))
  console.log(`sheets/${name}.png`)
}

/** The photographs with a face. */
async function portraits() {
  const found = []
  for (const name of names) {
    const picture = await load(name, 1100)
    const faces = await findFacesAnyhow(picture, host)
    if (faces[0]) found.push({ picture, face: faces[0], others: faces.slice(1) })
  }
  return found
}

async function headshots() {
  const rows = []
  for (const { picture, face, others } of await portraits()) {
    const view = await headView(picture, face, others, host)
    const frame = frameHead(view, 3 / 4)
    const row = [picture]
    for (const backdrop of ['grey', 'sand', 'window', 'office', 'evening']) {
      row.push(await renderPortrait(view, frame, { backdrop, retouch: 0.5, light: 0.6 }, host))
    }
    rows.push(row)
  }
  return rows
}

/** Each face in the place of the next one: source, target, result. */
async function swaps() {
  const all = await portraits()
  const rows = []
  for (const [i, source] of all.entries()) {
    const target = all[(i + 1) % all.length]
    const { box, picture } = await swapFace(target, source, host)
    const after = { ...target.picture, data: target.picture.data.slice() }
    for (let y = 0; y < box.height; y++) {
      const row = picture.data.subarray(4 * y * box.width, 4 * (y + 1) * box.width)
      after.data.set(row, 4 * ((box.y + y) * after.width + box.x))
    }
    rows.push([source.picture, target.picture, after])
  }
  return rows
}

/** Passport photos by some rules. */
async function passports() {
  const params = { ...passportPhoto.defaults, background: { type: 'blue' } }
  return rowsOf(async (inputs) => {
    const generated = await passportPhotoEngine.generate({ params, inputs }, host)
    const photos = ['4x6', '35x45', '51x51', 'hajj'].map((preset) =>
      passportPhotoEngine.render({ params: { ...params, preset }, inputs }, generated, host),
    )
    return (await Promise.all(photos)).map(({ outputs }) => outputs[0].picture)
  })
}

/** Every head by itself with a border. */
async function cutouts() {
  const params = { ...faceCutout.defaults, border: 0.03, borderColor: '#f4b400' }
  return rowsOf(async (inputs) => {
    const generated = await faceCutoutEngine.generate({ params, inputs }, host)
    const { outputs } = await faceCutoutEngine.render({ params, inputs }, generated, host)
    return outputs.map(({ picture }) => picture)
  })
}

/** A row for every photograph that a tool does not refuse. */
async function rowsOf(make) {
  const rows = []
  for (const name of names) {
    try {
      rows.push(await make({ picture: [await load(name, 1000)] }))
    } catch (error) {
      console.log(`${name}: ${error.code}`)
    }
  }
  return rows
}
