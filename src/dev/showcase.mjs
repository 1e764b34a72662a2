// The pictures that the home page shows of each tool, made by the engine from the photographs of
// the tests: `node src/dev/showcase.mjs`. Only photographs that are free for advertising are used;
// sources in public/samples.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { openToolPool, runTool } from '../../tests/support/run-tool.ts'
import { root } from './run.mjs'

const target = join(root, 'public', 'samples', 'tools')
const size = { width: 480, height: 360 }
mkdirSync(target, { recursive: true })
const photo = (name) => readFileSync(join(root, 'tests', 'fixtures', 'photos', `${name}.jpg`))
const pool = openToolPool(1)

async function run(id, run) {
  const { outputs } = await runTool(pool, id, run)
  return Buffer.from(outputs[0].bytes)
}

async function write(name, bytes, position = 'centre') {
  const info = await sharp(bytes)
    .resize({ ...size, fit: 'cover', position })
    .webp({ quality: 72, alphaQuality: 80 })
    .toFile(join(target, `${name}.webp`))
  console.log(name, info.size)
}

const [cat, coffee, dandelions, rocket] = ['chelsea', 'coffee', 'seeding', 'rocket'].map(photo)

await write('background-removal-before', coffee)
const background = { type: 'color', color: '#ffd596' }
await write(
  'background-removal-after',
  await run('background-removal', { params: { background }, inputs: { picture: [coffee] } }),
)

// What goes lies in the middle, where the two pictures meet.
const strokes = [{ mode: 'keep', shape: 'line', size: 50, points: [241, 96, 241, 296] }]
const pad = await run('object-removal', { params: { strokes }, inputs: { picture: [rocket] } })
const part = (bytes) => sharp(bytes).extract({ left: 101, top: 90, width: 280, height: 210 }).png().toBuffer()
await write('object-removal-before', await part(rocket))
await write('object-removal-after', await part(pad))

const small = await sharp(cat).resize(170).jpeg({ quality: 40 }).toBuffer()
const large = await run('enhancement', { params: { scale: 4 }, inputs: { picture: [small] } })
await write('enhancement-before', small)
await write('enhancement-after', large)

await write('cartoonizer-before', cat)
await write('cartoonizer-after', await run('cartoonizer', { params: { style: 'anime' }, inputs: { picture: [cat] } }))

const scene = { scene: 'leaves', variants: 1, subject: 'object' }
await write('background-diffusion-before', coffee)
await write(
  'background-diffusion-after',
  await run('background-diffusion', { params: scene, inputs: { picture: [coffee] } }),
)

// As it comes without any hint.
const grey = await sharp(rocket).resize(960).greyscale().jpeg({ quality: 90 }).toBuffer()
await write('colorizer-before', grey, 'bottom')
await write('colorizer-after', await run('colorizer', { params: {}, inputs: { picture: [grey] } }), 'bottom')

const page = { shape: '3:2', background: { type: 'color', color: '#f3d9b8' } }
await write(
  'photo-layout-after',
  await run('photo-layout', { params: page, inputs: { pictures: [cat, coffee, dandelions, rocket] } }),
)
process.exit()
