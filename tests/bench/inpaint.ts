// Object removal on photographs with a pasted object, beside OpenCV (where python3 has it) and
// plain PatchMatch. INPAINT_PHOTOS may name another folder.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { inpaint } from '#engine/tasks/inpaint/index.ts'
import { psnr, ssim } from '../support/fidelity.ts'
import { type PastedObject, pastedObjects } from '../support/pasted-objects.ts'
import { plainPatchMatch } from '../support/plain-patch-match.ts'

const methods = ['Telea', 'Navier-Stokes', 'plain PatchMatch', 'Rupa'] as const
type Method = (typeof methods)[number]
interface Score {
  psnr: number
  ssim: number
  seconds: number
}

const script = `
import cv2, os, sys, time
cv2.setNumThreads(1)
for n in range(int(sys.argv[2])):
    at = lambda name: os.path.join(sys.argv[1], f'{n}-{name}.png')
    picture, mask = cv2.imread(at('picture')), cv2.imread(at('mask'), 0)
    for name, method in (('Telea', cv2.INPAINT_TELEA), ('Navier-Stokes', cv2.INPAINT_NS)):
        start = time.process_time()
        filled = cv2.inpaint(picture, mask, 5, method)
        print(time.process_time() - start)
        cv2.imwrite(at(name), filled)
`

const own = process.env.INPAINT_PHOTOS
const photographs = own
  ? readdirSync(own)
      .filter((name) => /\.(jpe?g|png|webp)$/.test(name))
      .map((name) => ({ name: name.replace(/\.\w+$/, ''), bytes: readFileSync(join(own, name)) }))
  : undefined
const cases = await pastedObjects(photographs)
const folder = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const scores = await Promise.all(cases.map(async (one, n) => ({ ...one, n, found: await measure(one, n) })))
const { stdout, status } = spawnSync('/usr/bin/python3', ['-c', script, folder, String(cases.length)], {
  encoding: 'utf8',
})
if (status === 0) {
  const times = stdout.trim().split('\n').map(Number)
  for (const { n, truth, mask, found } of scores) {
    for (const [k, method] of (['Telea', 'Navier-Stokes'] as const).entries()) {
      const filled = await decodePicture(readFileSync(join(folder, `${n}-${method}.png`)))
      found[method] = rate(filled, truth, mask, times[2 * n + k] as number)
    }
  }
} else console.log('python3-opencv is not there to compare with')
rmSync(folder, { recursive: true, force: true })

async function measure({ truth, picture, mask }: PastedObject, n: number): Promise<Partial<Record<Method, Score>>> {
  const { width, height } = picture
  const grey = Buffer.from(mask.data.map((value) => 255 * value))
  await sharp(Buffer.from(picture.data), { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toFile(join(folder, `${n}-picture.png`))
  await sharp(grey, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toFile(join(folder, `${n}-mask.png`))
  const timed = (fill: (picture: Picture, mask: Plane) => Picture): Score => {
    const before = process.cpuUsage()
    const filled = fill(picture, mask)
    const { user, system } = process.cpuUsage(before)
    return rate(filled, truth, mask, (user + system) / 1e6)
  }
  return { 'plain PatchMatch': timed(plainPatchMatch), Rupa: timed(inpaint) }
}

function rate(filled: Picture, truth: Picture, mask: Plane, seconds: number): Score {
  return { psnr: psnr(filled, truth, mask), ssim: ssim(filled, truth, mask), seconds }
}

const present = methods.filter((method) => scores[0]?.found[method])
const cell = ({ psnr, ssim }: Score) => `${psnr.toFixed(2).padStart(7)} ${ssim.toFixed(3)}`
console.log(`${'PSNR in dB and SSIM in the hole'.padEnd(34)}${present.map((name) => name.padStart(18)).join('')}`)
for (const { name, found } of scores) {
  console.log(`${name.padEnd(34)}${present.map((method) => cell(found[method] as Score).padStart(18)).join('')}`)
}
const mean = (method: Method, pick: (score: Score) => number) =>
  scores.reduce((sum, { found }) => sum + pick(found[method] as Score), 0) / scores.length
for (const method of present) {
  const [decibels, likeness, seconds] = [
    mean(method, (score) => score.psnr),
    mean(method, (score) => score.ssim),
    mean(method, (score) => score.seconds),
  ]
  const gain = mean('Rupa', (score) => score.psnr) - decibels
  const closer = mean('Rupa', (score) => score.ssim) - likeness
  const compared = method === 'Rupa' ? '' : `, Rupa ${signed(gain, 2)} dB and ${signed(closer, 4)}`
  console.log(
    `mean ${method.padEnd(18)}${decibels.toFixed(2)} dB  ${likeness.toFixed(4)}  ${seconds.toFixed(2)} s${compared}`,
  )
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(digits)}`
}
