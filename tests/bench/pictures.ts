// At 1 MP, beside OpenCV where python3 has it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { inpaint } from '#engine/tasks/inpaint/index.ts'
import { backgroundDiffusion } from '#tools/background-diffusion/contract/definition.ts'
import { backgroundDiffusionEngine } from '#tools/background-diffusion/engine/engine.ts'
import { colorizer } from '#tools/colorizer/contract/definition.ts'
import { colorizerEngine } from '#tools/colorizer/engine/engine.ts'
import type { AnyEngine } from '#tools/engine/tool-engine.ts'
import { enhancement } from '#tools/enhancement/contract/definition.ts'
import { enhancementEngine } from '#tools/enhancement/engine/engine.ts'
import { faceCutout } from '#tools/face-cutout/contract/definition.ts'
import { faceCutoutEngine } from '#tools/face-cutout/engine/engine.ts'
import { passportPhoto } from '#tools/passport-photo/contract/definition.ts'
import { passportPhotoEngine } from '#tools/passport-photo/engine/engine.ts'
import { photoLayout } from '#tools/photo-layout/contract/definition.ts'
import { photoLayoutEngine } from '#tools/photo-layout/engine/engine.ts'
import { compose, photo } from '../support/composites.ts'

const rounds = 3
const [width, height] = [1200, 833]
const folder = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const png = await sharp(photo('seeding.jpg')).resize(width, height, { fit: 'cover' }).png().toBuffer()
const picture = await decodePicture(png)
const mask = createPlane(width, height)
for (let i = 0; i < mask.data.length; i++) {
  const [x, y] = [(i % width) - 700, Math.floor(i / width) - 420]
  if (x * x + y * y < 0.1 * (width * height) * (1 / Math.PI)) mask.data[i] = 1
}

/** The least processor time of several rounds excludes other load. */
async function cost(run: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1e6)
  }
  return Math.min(...times)
}

const script = `
import cv2, numpy as np, sys, time
cv2.setNumThreads(1)
p = cv2.imread(sys.argv[1]); m = cv2.imread(sys.argv[2], 0)
def cost(f):
    best = 1e9
    for _ in range(2):
        t = time.process_time(); f(); best = min(best, time.process_time() - t)
    return best
print(cost(lambda: cv2.inpaint(p, m, 5, cv2.INPAINT_TELEA)))
print(cost(lambda: cv2.inpaint(p, m, 5, cv2.INPAINT_NS)))
large = lambda: cv2.resize(p, None, fx=2, fy=2, interpolation=cv2.INTER_LANCZOS4)
print(cost(lambda: cv2.resize(cv2.fastNlMeansDenoisingColored(p, None, 5, 5, 7, 21), None, fx=2, fy=2, interpolation=cv2.INTER_LANCZOS4)))
print(cost(lambda: cv2.detailEnhance(large())))
def page():
    out = np.full((2048, 2048, 3), 255, np.uint8)
    for n in range(4):
        y, x = 1024 * (n // 2), 1024 * (n % 2)
        out[y:y + 1000, x:x + 1000] = cv2.resize(p[:, 183:1016], (1000, 1000), interpolation=cv2.INTER_AREA)
print(cost(page))
shift = lambda: cv2.xphoto.inpaint(p, 255 - m, p.copy(), cv2.xphoto.INPAINT_SHIFTMAP)
print(cost(shift) if hasattr(cv2, 'xphoto') else 'nan')
`

const files = [join(folder, 'picture.png'), join(folder, 'mask.png')] as const
await sharp(png).toFile(files[0])
const marks = Buffer.from(mask.data.map((value) => 255 * value))
await sharp(marks, { raw: { width, height, channels: 1 } })
  .png()
  .toFile(files[1])
const { stdout, status } = spawnSync('/usr/bin/python3', ['-c', script, ...files], { encoding: 'utf8' })
rmSync(folder, { recursive: true, force: true })
const [telea, navier, means, detail, page, shifts] = status === 0 ? stdout.trim().split('\n').map(Number) : []

const line = (name: string, seconds: number, limit: number, others: Record<string, number | undefined>): string => {
  const beside = Object.entries(others).flatMap(([other, time]) =>
    time === undefined || Number.isNaN(time) ? [] : [`${(seconds / time).toFixed(2)} × ${other}`],
  )
  return `${name.padEnd(30)}${seconds.toFixed(2).padStart(6)} s  (limit ${limit} s)  ${beside.join(', ')}`
}
console.log(`processor time in one thread${status === 0 ? '' : '; python3-opencv is not there to compare with'}`)
const removal = await cost(() => inpaint(picture, mask))
console.log(
  line('object removal, 10 % of 1 MP', removal, 1.5, {
    Telea: telea,
    'Navier-Stokes': navier,
    'xphoto shift map': shifts,
  }),
)
const newHost = () => createNodeHost(new AbortController().signal, () => {})
/** A new host each time, so that nothing is cached. */
const run = async (engine: AnyEngine, params: object, inputs: Record<string, Picture[]>) => {
  const [host, input] = [newHost(), { params, inputs: { background: [], logo: [], ...inputs }, done: {} }]
  await engine.render(input, await engine.generate?.(input, host), host)
}
await run(enhancementEngine, enhancement.defaults, { picture: [picture] })
const enlarging = await cost(() => run(enhancementEngine, enhancement.defaults, { picture: [picture] }))
console.log(line('enhancer, 1 to 4 MP', enlarging, 2, { 'fastNlMeans and Lanczos': means, detailEnhance: detail }))
const scene = (variants: number) =>
  cost(() =>
    run(
      backgroundDiffusionEngine,
      { ...backgroundDiffusion.defaults, prompt: 'pantai', variants },
      { picture: [picture] },
    ),
  )
const [one, four] = [await scene(1), await scene(4)]
console.log(line('new background, first variant', one, 1.5, {}))
console.log(line('new background, each further', (four - one) / 3, 1.5, {}))
const grey = { ...picture, data: picture.data.slice() }
for (let i = 0; i < grey.data.length; i += 4) grey.data.fill(grey.data[i + 1] as number, i, i + 3)
const colours = await cost(() => run(colorizerEngine, colorizer.defaults, { picture: [grey] }))
console.log(line('colorizer, three variants', colours, 1.5, {}))
const fourPictures = { pictures: [picture, picture, picture, picture] }
const laid = await cost(() => run(photoLayoutEngine, photoLayout.defaults, fourPictures))
console.log(line('photo layout of four', laid, 1, { 'resize and paste': page }))

/** `side` × `side` pixels. */
const portrait = async (side: number) => {
  const { png } = await compose('table', 1000, 1000, 1.75, 60)
  return decodePicture(await sharp(png).resize(side, side).png().toBuffer())
}
for (const [size, side, longer] of [
  ['1 MP', 1000, 1],
  ['12 MP', 3464, 4],
] as const) {
  const inputs = { picture: [await portrait(side)] }
  const passport = await cost(async () => {
    const [host, input] = [newHost(), { params: passportPhoto.defaults, inputs, done: {} }]
    await passportPhotoEngine.render(input, await passportPhotoEngine.generate?.(input, host), host)
  })
  console.log(line(`passport photo, ${size}`, passport, longer, {}))
  const heads = await cost(async () => {
    const [host, input] = [newHost(), { params: faceCutout.defaults, inputs, done: {} }]
    await faceCutoutEngine.render(input, await faceCutoutEngine.generate?.(input, host), host)
  })
  console.log(line(`face cut-out, ${size}`, heads, 0.8 * longer, {}))
}
