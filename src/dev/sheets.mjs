// Contact sheets to judge the picture engine by eye: `npm run sheets` takes the photographs of the tests,
// `npm run sheets -- <folder>` those of a folder. Each sheet lies in `sheets/`.
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { applyColours, findColours } from '../engine/colorize/colorize.ts'
import { readOldPhoto } from '../engine/colorize/restore.ts'
import { inpaint } from '../engine/inpaint/inpaint.ts'
import { decodePicture } from '../engine/node/codecs.ts'
import { createNodeHost } from '../engine/node/host.ts'
import { faceMeshes } from '../engine/portrait/meshes.ts'
import { frameHead } from '../engine/portrait/studio/frame.ts'
import { renderPortrait } from '../engine/portrait/studio/portrait.ts'
import { headView } from '../engine/portrait/studio/view.ts'
import { swapFace } from '../engine/portrait/swap/swap-face.ts'
import { findFacesAnyhow } from '../engine/portrait/upright-face.ts'
import { enhance } from '../engine/restore/enhance.ts'
import { correctLight } from '../engine/restore/light.ts'
import { readPrompt } from '../engine/scenes/prompt.ts'
import { renderScene, sceneIds } from '../engine/scenes/scenes.ts'
import { faceCutout } from '../tools/face-cutout/contract.ts'
import { faceCutoutEngine } from '../tools/face-cutout/engine.ts'
import { passportPhoto } from '../tools/passport-photo/contract.ts'
import { passportPhotoEngine } from '../tools/passport-photo/engine.ts'
import { root } from './run.mjs'

const folder = process.argv[2] ?? join(root, 'tests', 'fixtures', 'photos')
const target = join(root, 'sheets')
const tile = 420
mkdirSync(target, { recursive: true })

const names = readdirSync(folder).filter((name) => /(?<!alpha)\.(jpe?g|png|webp)$/.test(name))
const load = async (name, side) =>
  decodePicture(await sharp(join(folder, name)).rotate().resize(side, side, { fit: 'inside' }).png().toBuffer())
const image = ({ width, height, data }) => sharp(Buffer.from(data), { raw: { width, height, channels: 4 } })

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

/** A wavy ellipse in the middle that covers the given share of the picture. */
function hole({ width, height }, share) {
  const data = new Float32Array(width * height)
  const radius = Math.sqrt((share * width * height) / Math.PI)
  for (let i = 0; i < data.length; i++) {
    const x = (i % width) - width / 2
    const y = Math.floor(i / width) - height / 2
    const angle = Math.atan2(y, x)
    if (Math.hypot(x / 1.2, y * 1.2) < radius * (1 + 0.18 * Math.sin(3 * angle + 1))) data[i] = 1
  }
  return { width, height, data }
}

function covered(picture, mask) {
  const data = picture.data.slice()
  for (let i = 0; i < mask.data.length; i++) if (mask.data[i] > 0) data.set([255, 0, 255, 255], 4 * i)
  return { ...picture, data }
}

const holes = []
const enhanced = []
for (const name of names) {
  const picture = await load(name, 700)
  for (const share of [0.03, 0.12]) {
    const mask = hole(picture, share)
    const before = covered(picture, mask)
    holes.push([picture, before, inpaint(before, mask)])
  }
  const small = await load(name, 240)
  const jpeg = await image(small).removeAlpha().jpeg({ quality: 60 }).toBuffer()
  const poor = await decodePicture(jpeg)
  const options = { scale: 2, denoise: 0.8, sharpness: 0.3 }
  const large = enhance(poor, options)
  enhanced.push([poor, large, correctLight({ ...large, data: large.data.slice() }, { light: 0.5, colour: 0.3 })])
}
await writeSheet('holes', holes)
await writeSheet('enhanced', enhanced)

const { wishes } = readPrompt('')
const sceneRows = sceneIds.map((id) =>
  [1, 2, 3, 4].map((seed) =>
    renderScene({ id, width: 800, height: 800, seed, wishes, side: seed % 2 === 0 ? 0.6 : -0.6 }),
  ),
)
await writeSheet('scenes', sceneRows)

const host = createNodeHost(new AbortController().signal, () => {})
const portraits = []
for (const name of names) {
  const picture = await load(name, 1100)
  const faces = await findFacesAnyhow(picture, host)
  if (faces[0]) portraits.push({ picture, face: faces[0], others: faces.slice(1) })
}
const headshots = []
for (const { picture, face, others } of portraits) {
  const view = await headView(picture, face, others, host)
  const frame = frameHead(view, 3 / 4)
  const row = [picture]
  for (const backdrop of ['grey', 'sand', 'window', 'office', 'evening']) {
    row.push(await renderPortrait(view, frame, { backdrop, retouch: 0.5, light: 0.6 }, host))
  }
  headshots.push(row)
}
await writeSheet('headshots', headshots)

/** Each face in the place of the next one: source, target, result. */
const swaps = []
for (const [i, source] of portraits.entries()) {
  const target = portraits[(i + 1) % portraits.length]
  const { box, picture } = await swapFace(target, source, host)
  const after = { ...target.picture, data: target.picture.data.slice() }
  for (let y = 0; y < box.height; y++) {
    const row = picture.data.subarray(4 * y * box.width, 4 * (y + 1) * box.width)
    after.data.set(row, 4 * ((box.y + y) * after.width + box.x))
  }
  swaps.push([source.picture, target.picture, after])
}
await writeSheet('swaps', swaps)

const coloured = []
for (const name of names) {
  const picture = await load(name, 700)
  const grey = await decodePicture(await image(picture).greyscale().png().toBuffer())
  const [faces, person] = [await faceMeshes(grey, host), await host.personMask(grey)]
  const { lightness } = readOldPhoto(grey)
  const versions = [0, 1, 2].map((variant) =>
    applyColours(lightness, findColours(lightness, { faces, person, hints: [], variant }), 1),
  )
  coloured.push([grey, ...versions, picture])
}
await writeSheet('coloured', coloured)
/** Passport photos by some rules, and every head by itself with a border, of each photograph with a face. */
const passports = []
const cutouts = []
const presets = ['4x6', '35x45', '51x51', 'hajj']
for (const name of names) {
  const inputs = { picture: [await load(name, 1000)] }
  try {
    const params = { ...passportPhoto.defaults, background: { type: 'blue' } }
    const generated = await passportPhotoEngine.generate({ params, inputs }, host)
    const photos = presets.map((preset) =>
      passportPhotoEngine.render({ params: { ...params, preset }, inputs }, generated, host),
    )
    passports.push((await Promise.all(photos)).map(({ outputs }) => outputs[0].picture))
  } catch (error) {
    console.log(`${name}: ${error.code}`)
  }
  try {
    const params = { ...faceCutout.defaults, border: 0.03, borderColor: '#f4b400' }
    const generated = await faceCutoutEngine.generate({ params, inputs }, host)
    const { outputs } = await faceCutoutEngine.render({ params, inputs }, generated, host)
    cutouts.push(outputs.map(({ picture }) => picture))
  } catch (error) {
    console.log(`${name}: ${error.code}`)
  }
}
await writeSheet('passports', passports)
await writeSheet('cutouts', cutouts)
