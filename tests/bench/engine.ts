import sharp from 'sharp'
import { decodePicture, encodePicture } from '#engine/node/codecs.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { compareAlpha, compose, photo } from '../support/composites.ts'
import { openToolPool, runTool } from '../support/run-tool.ts'

const rounds = 7
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

async function time(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

const portrait = (await compose('table', 1000, 1000, 1.75, 60)).png
const cup = await sharp(photo('coffee.jpg')).resize(1200).jpeg().toBuffer()
const phone = await sharp((await compose('tiles', 1500, 2000, 2.6, 80)).png)
  .resize(3000, 4000)
  .jpeg()
  .toBuffer()

const pool = openToolPool(1)
function cutOut(bytes: Uint8Array): Promise<unknown> {
  return runTool(pool, 'background-removal', { inputs: { picture: [bytes] } })
}

const host = createNodeHost(new AbortController().signal, () => {})
async function floor(): Promise<void> {
  const picture = await decodePicture(portrait)
  await host.personMask(picture)
  await encodePicture(picture, 'png')
}

const cold = await time(() => cutOut(portrait))
await cutOut(cup)
await floor()
const times: Record<'floor' | 'portrait' | 'object' | 'phone', number[]> = {
  floor: [],
  portrait: [],
  object: [],
  phone: [],
}
for (let round = 0; round < rounds; round++) {
  times.floor.push(await time(floor))
  times.portrait.push(await time(() => cutOut(portrait)))
  times.object.push(await time(() => cutOut(cup)))
  if (round < 2) times.phone.push(await time(() => cutOut(phone)))
}

/** Known alpha on backgrounds of every kind. */
const composites = await Promise.all(
  ['sky', 'leaves', 'tiles', 'table', 'petals', 'cat'].flatMap((background) => [
    compose(background, 560, 560, 1, 20),
    compose(background, 640, 520, 0.8, 120),
  ]),
)
const scores: { overlap: number; difference: number }[] = []
for (const { png, alpha } of composites) {
  const { outputs } = await runTool(pool, 'background-removal', { inputs: { picture: [png] } })
  const cutOutPicture = await sharp(outputs[0]?.bytes).ensureAlpha().extractChannel(3).raw().toBuffer()
  scores.push(compareAlpha(cutOutPicture, alpha))
}
await pool.close()
const mean = (pick: 'overlap' | 'difference') => scores.reduce((sum, score) => sum + score[pick], 0) / scores.length

const base = median(times.floor)
const line = (name: string, milliseconds: number, limit?: number): string =>
  `${name.padEnd(34)}${milliseconds.toFixed(0).padStart(6)} ms${limit ? `  (limit ${limit} ms)` : ''}  ${(milliseconds / base).toFixed(1)} × floor`
console.log('background-removal, engine time in one thread (decode to encode)')
console.log(line('floor: decode + one mask + encode', base))
console.log(line('portrait, 1 MP', median(times.portrait), 330))
console.log(line('object, 1 MP', median(times.object), 1500))
console.log(line('portrait, 12 MP', Math.min(...times.phone), 900))
console.log(line('first run of a cold thread', cold))
console.log(
  `${scores.length} composites: mean IoU ${mean('overlap').toFixed(4)} (at least 0.98), mean |Δα| ${mean('difference').toFixed(4)} (at most 0.012)`,
)
