import sharp from 'sharp'
import { photo } from '../support/composites.ts'
import { openToolPool, runTool } from '../support/run-tool.ts'

/** Milliseconds of whole runs in an engine thread: headshot and face swap, one face, on 1 and 12 megapixels. */
const rounds = 5
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

const sized = (name: string, area: number) =>
  sharp(photo(name))
    .metadata()
    .then(({ width, height }) =>
      sharp(photo(name))
        .resize(Math.round(width * Math.sqrt(area / (width * height))))
        .jpeg({ quality: 92 })
        .toBuffer(),
    )

const pool = openToolPool(1)
for (const megapixels of [1, 12]) {
  const [own, other] = [
    await sized('astronaut.jpg', megapixels * 1e6),
    await sized('grace_hopper.jpg', megapixels * 1e6),
  ]
  const tools = {
    headshot: () => runTool(pool, 'headshot', { inputs: { picture: [own] } }),
    'swap-face': () =>
      runTool(pool, 'swap-face', { inputs: { target: [own], faces: [other] }, params: { consent: true } }),
  }
  for (const [name, run] of Object.entries(tools)) {
    await run()
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const start = performance.now()
      await run()
      times.push(performance.now() - start)
    }
    console.log(`${name}, ${megapixels} MP: ${Math.round(median(times))} ms`)
  }
}
await pool.close()
