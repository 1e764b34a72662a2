// Peak memory of each picture tool at 12 MP, each in its own process.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { ToolId } from '#tools/contracts.ts'
import { photo } from '../support/composites.ts'
import { openToolPool, runTool, type ToolTask } from '../support/run-tool.ts'

const limit = 1500
const [width, height] = [4000, 3000]
const large = (grey = false) => sharp(photo('coffee.jpg')).resize(width, height).greyscale(grey).jpeg().toBuffer()
const disc = `<svg width="${width}" height="${height}"><rect width="100%" height="100%"/><circle cx="2000" cy="1500" r="618" fill="#fff"/></svg>`

const tools: Partial<Record<ToolId, () => Promise<ToolTask>>> = {
  'object-removal': async () => ({
    inputs: { picture: [await large()], mask: [await sharp(Buffer.from(disc)).png().toBuffer()] },
  }),
  'background-diffusion': async () => ({ inputs: { picture: [await large()] } }),
  enhancement: async () => ({ params: { scale: 2 }, inputs: { picture: [await large()] } }),
  colorizer: async () => ({ inputs: { picture: [await large(true)] } }),
  'photo-layout': async () => ({ inputs: { pictures: await Promise.all(Array.from({ length: 8 }, () => large())) } }),
}

const only = process.argv[2] as ToolId | undefined
const inputOf = only && tools[only]
if (inputOf) {
  const input = await inputOf()
  const pool = openToolPool(1)
  const start = performance.now()
  await runTool(pool, only, { ...input, timeLimit: 600_000 })
  const seconds = (performance.now() - start) / 1000
  await pool.close()
  console.log(`${process.resourceUsage().maxRSS / 1024} ${seconds}`)
} else {
  for (const tool of Object.keys(tools)) {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [...process.execArgv, fileURLToPath(import.meta.url), tool],
      {
        encoding: 'utf8',
      },
    )
    const [megabytes = 0, seconds = 0] = stdout.trim().split(' ').map(Number)
    if (status !== 0) console.log(`${tool}: ${stderr}`)
    const verdict = megabytes <= limit ? '' : '  above the limit'
    console.log(
      `${tool.padEnd(24)}${megabytes.toFixed(0).padStart(6)} MB  (limit ${limit} MB)  ${seconds.toFixed(1)} s${verdict}`,
    )
  }
}
