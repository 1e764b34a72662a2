// Portrait tools in a warm engine thread at 1 and 12 megapixels, beside OpenCV where python3 has
// it. Every round uses another crop, so that nothing is cached. Memory is that of a process with
// only one tool.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { decodePicture } from '#engine/node/codecs.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { findRotatedFaces } from '#engine/tasks/faces/index.ts'
import { reduceForSearch } from '#engine/tasks/subject-matte/index.ts'
import type { ToolId } from '#tools/contracts.ts'
import { findHeads } from '#tools/face-cutout/engine/heads.ts'
import { photo } from '../support/composites.ts'
import { openToolPool, runTool } from '../support/run-tool.ts'

const rounds = 5
const largeRounds = 2
const limits = { headshot: 2, 'swap-face': 0.6, cartoonizer: 0.9, 'passport-photo': 1, 'face-cutout': 0.8 } as const
const memoryLimit = 900e6

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** `round` moves the crop a little. */
async function portrait(name: string, area: number, round: number): Promise<Buffer> {
  const { width, height } = await sharp(photo(name)).metadata()
  const left = 2 * round
  const cropped = sharp(photo(name)).extract({ left, top: 0, width: width - left, height })
  return cropped
    .resize(Math.round((width - left) * Math.sqrt(area / ((width - left) * height))))
    .jpeg({ quality: 92 })
    .toBuffer()
}

type Inputs = Record<string, Uint8Array[]>

async function inputsOf(tool: keyof typeof limits, area: number, round: number): Promise<Inputs> {
  const own = await portrait('astronaut.jpg', area, round)
  if (tool !== 'swap-face') return { picture: [own] }
  return { target: [own], faces: [await portrait('grace_hopper.jpg', area, round)] }
}

const pool = openToolPool(1)

const paramsOf = (tool: keyof typeof limits) => (tool === 'swap-face' ? { consent: true } : {})

async function secondsOf(tool: keyof typeof limits, area: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const inputs = await inputsOf(tool, area, round)
    const start = performance.now()
    await runTool(pool, tool as ToolId, { inputs, params: paramsOf(tool) })
    if (round > 0) times.push((performance.now() - start) / 1000)
  }
  return median(times)
}

/** Best time and peak memory, in its own process. */
async function runAlone(tool: keyof typeof limits, folder: string): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < largeRounds; round++) {
    const inputs: Inputs = {}
    for (const name of readdirSync(folder)) {
      const [input = '', which] = name.split('.')
      if (which === String(round)) inputs[input] = [readFileSync(join(folder, name))]
    }
    const start = performance.now()
    await runTool(pool, tool as ToolId, { inputs, params: paramsOf(tool) })
    times.push((performance.now() - start) / 1000)
  }
  console.log(`${Math.min(...times)} ${process.resourceUsage().maxRSS * 1024}`)
}

async function measureAlone(tool: keyof typeof limits, area: number): Promise<{ seconds: number; peak: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
  for (let round = 0; round < largeRounds; round++) {
    for (const [input, [bytes]] of Object.entries(await inputsOf(tool, area, round))) {
      writeFileSync(join(folder, `${input}.${round}`), bytes as Uint8Array)
    }
  }
  const { stdout } = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), tool, folder], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true, force: true })
  const [seconds = Number.NaN, peak = Number.NaN] = stdout.trim().split(' ').map(Number)
  return { seconds, peak }
}

/** Undefined without OpenCV. */
async function openCv(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
  const files = ['astronaut.jpg', 'grace_hopper.jpg'].map((name) => join(folder, name))
  for (const [i, file] of files.entries()) {
    writeFileSync(file, await portrait(i === 0 ? 'astronaut.jpg' : 'grace_hopper.jpg', 1e6, 0))
  }
  const script = `
import cv2, numpy as np, sys, time
cv2.setNumThreads(2)
a, b = cv2.imread(sys.argv[1]), cv2.imread(sys.argv[2])
def best(f):
    least = 1e9
    for _ in range(3):
        t = time.perf_counter(); f(); least = min(least, time.perf_counter() - t)
    return least
head = cv2.resize(b, (300, 360)); mask = np.zeros(head.shape, np.uint8)
cv2.ellipse(mask, (150, 180), (120, 150), 0, 0, 360, (255, 255, 255), -1)
print(best(lambda: cv2.stylization(a, sigma_s=60, sigma_r=0.45)))
print(best(lambda: cv2.seamlessClone(head, a, mask, (430, 260), cv2.NORMAL_CLONE)))
`
  const { stdout, status } = spawnSync('/usr/bin/python3', ['-c', script, ...files], { encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  if (status !== 0) return {}
  const [stylization = 0, seamlessClone = 0] = stdout.trim().split('\n').map(Number)
  return { cartoonizer: stylization, 'swap-face': seamlessClone }
}

async function compare(): Promise<void> {
  const others = await openCv()
  const names = { cartoonizer: 'stylization', 'swap-face': 'seamlessClone, which blends and does nothing else' }
  if (Object.keys(others).length === 0) console.log('python3-opencv is not there to compare with')
  const tools = Object.keys(limits) as (keyof typeof limits)[]
  for (const tool of tools) {
    const seconds = await secondsOf(tool, 1e6)
    const other = others[tool]
    const beside = other ? `, ${(seconds / other).toFixed(2)} × OpenCV's ${names[tool as keyof typeof names]}` : ''
    console.log(`${tool}, 1 MP: ${seconds.toFixed(2)} s (limit ${limits[tool]} s)${beside}`)
  }
  for (const tool of tools) {
    const { seconds, peak } = await measureAlone(tool, 12e6)
    const memory = `peak memory ${Math.round(peak / 1e6)} MB (limit ${memoryLimit / 1e6} MB)`
    console.log(`${tool}, 12 MP: ${seconds.toFixed(2)} s, ${memory}`)
  }
}

/** Time of the thorough search for heads, with faces that the edge cuts off, in plain searches. */
async function compareHeadSearch(): Promise<void> {
  const host = createNodeHost(new AbortController().signal, () => {})
  const times: { plain: number[]; heads: number[] } = { plain: [], heads: [] }
  for (let round = 0; round <= rounds; round++) {
    const picture = await decodePicture(await portrait('group.jpg', 1e6, round))
    const start = performance.now()
    await findRotatedFaces(picture, host, await reduceForSearch(picture, host))
    const middle = performance.now()
    await findHeads(picture, host)
    if (round === 0) continue
    times.plain.push(middle - start)
    times.heads.push(performance.now() - middle)
  }
  console.log(
    `face-cutout, 1 MP: search for heads ${(median(times.heads) / median(times.plain)).toFixed(1)} × a plain one`,
  )
}

const [only, folder] = process.argv.slice(2)
if (only && folder) await runAlone(only as keyof typeof limits, folder)
else {
  await compare()
  await compareHeadSearch()
}
await pool.close()
