// Example pictures of each tool from the test photographs, and of the scenes that need a light
// probe: `node src/scripts/showcase.mjs [tool… | locations]`.
// Sources in public/samples.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { closeUpClip } from '../../tests/support/clips.ts'
import { openToolPool, runTool } from '../../tests/support/run-tool.ts'
import { createNodeHost } from '../engine/node/host.ts'
import { locationIds } from '../engine/scenes.ts'
import { cameraOf, locationLight, neutralWishes, renderScene, shownLocation } from '../engine/tasks/background/index.ts'
import { root } from './run.mjs'

const target = join(root, 'public', 'samples', 'tools')
const size = { width: 480, height: 360 }
mkdirSync(target, { recursive: true })
const photo = (name) => readFileSync(join(root, 'tests', 'fixtures', 'photos', `${name}.jpg`))
const pool = openToolPool(1)

async function run(id, params, inputs) {
  const { outputs } = await runTool(pool, id, { params, inputs })
  return Buffer.from(outputs[0].bytes)
}

async function write(name, bytes, { position = 'centre' } = {}) {
  const info = await sharp(bytes)
    .resize({ ...size, fit: 'cover', position })
    .avif({ quality: 42, effort: 9 })
    .toFile(join(target, `${name}.avif`))
  console.log(name, info.size)
}

const [cat, coffee, dandelions, rocket] = ['chelsea', 'coffee', 'seeding', 'rocket'].map(photo)
const [astronaut, officer] = ['astronaut', 'grace_hopper'].map(photo)
const part = (bytes, [left, top, width, height]) => sharp(bytes).extract({ left, top, width, height }).png().toBuffer()

const shown = {
  async 'background-removal'() {
    const background = { type: 'color', color: '#ffd596' }
    return [coffee, await run('background-removal', { background }, { picture: [coffee] })]
  },
  async 'object-removal'() {
    // The removed object is in the middle, where the two pictures meet.
    const strokes = [{ mode: 'keep', shape: 'line', size: 50, points: [241, 96, 241, 296] }]
    const pad = await run('object-removal', { strokes }, { picture: [rocket] })
    return Promise.all([rocket, pad].map((bytes) => part(bytes, [101, 90, 280, 210])))
  },
  async enhancement() {
    const small = await sharp(dandelions).resize(190).jpeg({ quality: 40 }).toBuffer()
    return [small, await run('enhancement', { scale: 4 }, { picture: [small] })]
  },
  async cartoonizer() {
    return [cat, await run('cartoonizer', { style: 'anime' }, { picture: [cat] })]
  },
  async 'background-diffusion'() {
    const scene = { scene: 'sunset', variants: 1 }
    return [astronaut, await run('background-diffusion', scene, { picture: [astronaut] }), { position: 'top' }]
  },
  async colorizer() {
    const old = await oldPrint()
    // Known colours: the backdrop, the flag and the uniform.
    const hints = [
      ['#7598bd', 340, 120],
      ['#7598bd', 350, 220],
      ['#2b3a63', 30, 110],
      ['#232b40', 120, 420],
      ['#232b40', 200, 92],
      ['#232b40', 290, 430],
    ].map(([color, x, y]) => ({ color, size: 8, points: [x, y] }))
    const params = { hints, scratches: true }
    return [old, await run('colorizer', params, { picture: [old] }), { position: 'top' }]
  },
  async 'photo-layout'() {
    const page = { shape: '3:2', background: { type: 'color', color: '#f3d9b8' } }
    return [null, await run('photo-layout', page, { pictures: [cat, coffee, dandelions, rocket] })]
  },
  async headshot() {
    const sides = await alike('headshot', { backdrop: 'lobby', ratio: '1:1' }, officer, '#f3ece2')
    const { height } = await sharp(sides[0]).metadata()
    // Without the card: its width is that of the square result.
    const square = [height / 6, 0, height, height * 0.75].map(Math.round)
    return Promise.all(sides.map((bytes) => part(bytes, square)))
  },
  async 'passport-photo'() {
    // As wide as its frame, which a photo of 3 × 4 would leave empty at both sides.
    const framing = { head: { min: 0.5, max: 0.6 }, eyes: { min: 0.5, max: 0.7 } }
    const rule = { ...size, unit: 'px', dpi: 300, ...framing }
    return alike('passport-photo', { preset: 'own', rule, background: { type: 'red' } }, astronaut, '#f3ece2')
  },
  async 'face-cutout'() {
    const params = { border: 0.03, borderColor: '#ffffff', crop: 'square' }
    return alike('face-cutout', params, astronaut, '#f4b400')
  },
  async 'swap-face'() {
    const swapped = await run('swap-face', {}, { target: [officer], faces: [astronaut] })
    return Promise.all([officer, swapped].map((bytes) => part(bytes, [55, 40, 300, 225])))
  },
  async 'video-background-removal'() {
    const clip = await closeUpClip('astronaut.jpg', size)
    const params = { background: { type: 'color', color: '#2f9e8f' } }
    const { thumbnail } = await runTool(
      pool,
      'video-background-removal',
      { params, inputs: { video: [clip] } },
      'video',
    )
    const before = await sharp(astronaut).resize(600, 450, { position: 'top' }).toBuffer()
    return [await part(before, [60, 90, 480, 360]), Buffer.from(thumbnail.bytes)]
  },
}

/** A portrait as an old print, faded and scratched. */
async function oldPrint() {
  const { width, height } = await sharp(officer).metadata()
  const scratch = ([x, y, w, h]) => ({
    input: {
      create: { width: w, height: h, channels: 4, background: { r: 251, g: 243, b: 226, alpha: 0.8 } },
    },
    left: Math.round(x * width),
    top: Math.round(y * height),
  })
  const scratches = [
    [0.2, 0.05, 2, 210],
    [0.71, 0.3, 1, 250],
    [0.36, 0.5, 1, 120],
    [0.05, 0.72, 130, 2],
  ].map(scratch)
  const faded = await sharp(officer).greyscale().linear(0.72, 46).toColourspace('srgb').png().toBuffer()
  return sharp(faded).tint('#c9b083').composite(scratches).jpeg({ quality: 90 }).toBuffer()
}

/** A result on a plain card, and the photograph in the same position, mirrored beyond its edges. */
async function alike(id, params, picture, ground) {
  const options = { params: { ...params, format: 'png' }, inputs: { picture: [picture] } }
  const { outputs, facts } = await runTool(pool, id, options)
  const [{ bytes, width, height }] = outputs
  const { scale, angle, x, y } = facts.places[0]
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)]
  const rim = 300
  const sides = { top: rim, bottom: rim, left: rim, right: rim }
  const own = await sharp(picture).metadata()
  const wide = await sharp(picture)
    .extend({ ...sides, extendWith: 'mirror' })
    .png()
    .toBuffer()
  const before = await sharp(wide).affine([cos, -sin, sin, cos], { interpolator: 'bicubic' }).png().toBuffer()
  const span = (side) => [-rim, side + rim]
  const corners = span(own.width).flatMap((across) =>
    span(own.height).map((down) => [x + cos * across - sin * down, y + sin * across + cos * down]),
  )
  const [left, top] = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis])))
  const card = Math.round((height * size.width) / size.height)
  const aside = Math.round((card - width) / 2)
  const shape = [Math.round(-aside - left), Math.round(-top), card, height]
  const after = await sharp(bytes)
    .extend({ left: aside, right: card - width - aside, background: ground })
    .flatten({ background: ground })
    .png()
    .toBuffer()
  return [await part(before, shape), after]
}

const sampleSize = { width: 180, height: 240 }

async function writeLocations() {
  const folder = join(root, 'public', 'samples', 'locations')
  mkdirSync(folder, { recursive: true })
  const host = createNodeHost(new AbortController().signal, () => {})
  const shape = { width: 3 * sampleSize.width, height: 3 * sampleSize.height }
  // The middle of the picture is free for a person in front of it.
  const camera = cameraOf(shape, { eyes: 0.4, head: 0.42 })
  for (const id of [...locationIds, 'table']) {
    const around = await host.surroundings(shownLocation(id))
    const { balance } = locationLight(around, shownLocation(id), 1)
    const request = { ...shape, id, seed: 1, wishes: neutralWishes(), side: -0.4, camera, balance }
    const { data } = renderScene(request, around)
    const info = await sharp(data, { raw: { ...shape, channels: 4 } })
      .resize(sampleSize)
      .webp({ quality: 76 })
      .toFile(join(folder, `${id}.webp`))
    console.log(id, info.size)
  }
}

// Child processes do not keep this one alive.
setInterval(() => undefined, 1000)
const wanted = process.argv.slice(2)
if (wanted.length === 0 || wanted.includes('locations')) await writeLocations()
for (const [tool, make] of Object.entries(shown)) {
  if (wanted.length > 0 && !wanted.includes(tool)) continue
  const [before, after, how] = await make()
  if (before) await write(`${tool}-before`, before, how)
  await write(`${tool}-after`, after, how)
}
process.exit()
