// Attacks on previews of every tool, in dB against the paid result. WATERMARK_CROPS: number of
// averaged previews; WATERMARK_SHEETS: folder for sheets; WATERMARK_ONLY: regular expression such
// as `judging colorizer`. Only the tuning pictures chose the strengths. Exits with 1 where an
// attack reaches 30 dB or, for a result as near to its input, beats the input alone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { frameToPicture, pictureToFrame } from '#engine/video/frame.ts'
import { frameSampler } from '#engine/watermark/frames.ts'
import { previewLongSide } from '#shared/media.ts'
import { compose, photo } from '#tests/support/composites.ts'
import { pastedObjects } from '#tests/support/pasted-objects.ts'
import {
  type Attacked,
  boughtPair,
  type Report,
  removeWatermark,
  type Sampler,
  visitorSample,
} from '#tests/support/remove-watermark.ts'
import { openToolPool, runTool } from '#tests/support/run-tool.ts'
import type { ToolId } from '#tools/contracts.ts'

const limit = 30
const gain = 1.5
const crops = Number(process.env.WATERMARK_CROPS ?? 10)
const sheets = process.env.WATERMARK_SHEETS
const only = new RegExp(process.env.WATERMARK_ONLY ?? '')
const key = crypto.getRandomValues(new Uint8Array(32))

interface Case {
  name: string
  tool: ToolId
  params?: object
  inputs: Record<string, Uint8Array[]>
}

const names = {
  tuning: ['astronaut', 'coffee', 'chelsea'],
  judging: ['grace_hopper', 'group', 'rocket', 'seeding'],
} as const
type Split = keyof typeof names

const grey = (bytes: Uint8Array) =>
  sharp(bytes).greyscale().toColourspace('srgb').modulate({ brightness: 0.92 }).png().toBuffer()
const maskOf = ({ width, height, data }: { width: number; height: number; data: Float32Array }) =>
  sharp(
    Uint8Array.from(data, (value) => (value > 0.5 ? 255 : 0)),
    { raw: { width, height, channels: 1 } },
  )
    .png()
    .toBuffer()
const pngOf = ({ width, height, data }: Picture) =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer()

async function casesOf(split: Split): Promise<Case[]> {
  const cases: Case[] = []
  for (const name of names[split]) {
    const picture = [new Uint8Array(photo(`${name}.jpg`))]
    cases.push({ name, tool: 'enhancement', params: { scale: 2 }, inputs: { picture } })
    cases.push({ name, tool: 'background-removal', inputs: { picture } })
    const scene = { prompt: split === 'tuning' ? 'pantai' : 'kayu', variants: 1 }
    cases.push({ name, tool: 'background-diffusion', params: scene, inputs: { picture } })
    cases.push({ name, tool: 'colorizer', inputs: { picture: [await grey(picture[0] as Uint8Array)] } })
  }
  const objects = await pastedObjects(
    names[split].map((name) => ({ name, bytes: new Uint8Array(photo(`${name}.jpg`)) })),
  )
  for (const { name, picture, mask } of objects.filter((_, i) => i % 2 === 1)) {
    const inputs = { picture: [await pngOf(picture)], mask: [await maskOf(mask)] }
    cases.push({ name, tool: 'object-removal', inputs })
  }
  const grounds = split === 'tuning' ? ['studio', 'table'] : ['leaves', 'tiles']
  for (const ground of grounds) {
    const { png } = await compose(ground, 900, 700, 1.2, 140)
    cases.push({ name: `composed, ${ground}`, tool: 'background-removal', inputs: { picture: [png] } })
    cases.push({ name: `composed, ${ground}`, tool: 'enhancement', inputs: { picture: [png] } })
  }
  const pictures = names[split].map((name) => new Uint8Array(photo(`${name}.jpg`)))
  const four = [...pictures, ...pictures].slice(0, 4)
  cases.push({ name: 'page', tool: 'photo-layout', inputs: { pictures: four } })
  return cases
}

const pool = openToolPool()

async function small(bytes: Uint8Array): Promise<Uint8Array> {
  return sharp(bytes)
    .resize(previewLongSide, previewLongSide, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
}

/** The preview is made of the small input that a visitor sends. */
async function attackedBy({ tool, params = {}, inputs }: Case): Promise<Attacked> {
  const paid = (await runTool(pool, tool, { params, inputs })).outputs[0]?.bytes as Uint8Array
  const reduced = Object.fromEntries(
    await Promise.all(
      Object.entries(inputs).map(async ([name, files]) => [name, await Promise.all(files.map(small))] as const),
    ),
  )
  const given = tool === 'enhancement' ? { ...params, scale: 1 } : params
  const plain = (await runTool(pool, tool, { params: given, inputs: reduced })).outputs[0]?.bytes as Uint8Array
  const shown = await decodePicture(await small(plain))
  const { width, height } = shown
  const fitted = async (bytes: Uint8Array) =>
    decodePicture(await sharp(bytes).resize(width, height, { fit: 'fill' }).png().toBuffer())
  const [first] = Object.values(reduced)
  return { plain: shown, input: await fitted(first?.[0] as Uint8Array), paid: await fitted(paid) }
}

const told = ({ name, decibels }: Report['blind']) => `${decibels.toFixed(1)} (${name || 'none'})`

const columns = 'tool, picture: work % | without input: whole, work | with input: work | engine alone, input alone'
console.log(`${crops} previews of crops, letters taken off by their true coverage\n${columns}`)
let broken = 0
const bought: Partial<Record<ToolId, Awaited<ReturnType<typeof boughtPair>>[]>> = {}
const reach: Record<Split, Record<string, number>> = { tuning: {}, judging: {} }

function judge(split: Split, label: string, report: Report): void {
  const { blind, blindWork, knownWork, known, alpha, inputWork, plainWork, share } = report
  const isCutOut = label.startsWith('background-removal')
  // A paid result may be as close to the input; then the preview must not help much.
  // A photo that stays nearly as it is has no pixels of work to compare.
  const hasWork = Number.isFinite(inputWork)
  const withInput = !hasWork || knownWork.decibels < Math.max(limit, inputWork + gain)
  const held = blind.decibels < limit && !(blindWork.decibels >= limit) && withInput
  const isCut = !isCutOut || (known.decibels < limit && alpha.decibels < limit)
  if (!held || !isCut) broken++
  const tool = label.split(',')[0] as string
  reach[split][tool] = Math.max(reach[split][tool] ?? 0, blind.decibels, inputWork < limit ? knownWork.decibels : 0)
  const cut = isCutOut ? ` | whole ${told(known)}, transparency ${told(alpha)}` : ''
  const others = Number.isFinite(report.bought.decibels) ? ` | others bought: ${told(report.bought)}` : ''
  const line = `${label}: ${(100 * share).toFixed(0)} % | ${told(blind)}, ${told(blindWork)} | ${told(knownWork)}`
  console.log(`${held && isCut ? ' ' : '✗'} ${line} | ${plainWork.toFixed(1)}, ${inputWork.toFixed(1)}${cut}${others}`)
}

for (const split of ['tuning', 'judging'] as const) {
  console.log(`\n${split}`)
  for (const one of await casesOf(split)) {
    if (!only.test(`${split} ${one.tool} ${one.name}`)) continue
    const attacked = await attackedBy(one).catch((error: Error) =>
      console.log(`  ${one.tool}, ${one.name}: ${error.message}`),
    )
    if (!attacked) continue
    const known = split === 'judging' ? bought[one.tool] : undefined
    judge(
      split,
      `${one.tool}, ${one.name}`,
      await removeWatermark(attacked, { key, crops, ...(known && { bought: known }) }),
    )
    if (split === 'tuning') bought[one.tool] = [...(bought[one.tool] ?? []), await boughtPair(attacked, key)]
    if (sheets) await writeSheet(join(sheets, `${one.tool}-${one.name}.png`.replaceAll(/[ ,%]+/g, '-')), attacked)
  }
  for (const name of names[split]) {
    if (!only.test(`${split} video-background-removal ${name}`)) continue
    const even = await sharp(photo(`${name}.jpg`))
      .resize(640, 360, { fit: 'cover' })
      .png()
      .toBuffer()
    const paid = await decodePicture(even)
    // The whole frame counts as work; crops of a video would have odd sizes.
    const input: Picture = { ...paid, data: paid.data.map((value, i) => (i % 4 === 3 ? value : 255 - value)) }
    const make: Sampler = (plain, _, draws) => {
      const frame = pictureToFrame(plain, 'bt601')
      frameSampler(frame, draws)(frame)
      return frameToPicture(frame, 640)
    }
    judge(
      split,
      `video-background-removal, frame of ${name}`,
      await removeWatermark({ plain: paid, input, paid }, { key, crops: 1, make }),
    )
  }
}
console.log('\nmost that any attack reached where the input alone has less than 30 dB: tuning, judging')
for (const tool of Object.keys(reach.tuning)) {
  console.log(`${tool.padEnd(26)}${reach.tuning[tool]?.toFixed(1)}, ${reach.judging[tool]?.toFixed(1)} dB`)
}
await pool.close()
if (broken > 0) console.log(`${broken} watermarks were removed`)
process.exitCode = broken > 0 ? 1 : 0

async function writeSheet(path: string, { plain, input }: Attacked): Promise<void> {
  const { width, height } = plain
  const sample = await visitorSample(plain, input, key)
  const shown = await Promise.all(
    [plain, sample].map(({ data }) =>
      sharp(data, { raw: { width, height, channels: 4 } })
        .flatten({ background: '#c8c8cc' })
        .png()
        .toBuffer(),
    ),
  )
  const sheet = sharp({ create: { width: 2 * width, height, channels: 3, background: '#ffffff' } })
  const layers = shown.map((picture, i) => ({ input: picture, left: i * width, top: 0 }))
  writeFileSync(path, await sheet.composite(layers).png().toBuffer())
}
