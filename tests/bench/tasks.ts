import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { flatten } from '#engine/image/pixels.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { decodeTask, encodeTask } from '#engine/node/task-files.ts'
import type { TaskResult } from '#engine/task-work.ts'
import { matteWork, subjectMatte } from '#engine/tasks/subject-matte/index.ts'
import { readConfig } from '#main/config.ts'
import { recordVerdict } from '#providers/onnx/models-dir.ts'
import { createOnnxProviders } from '#providers/onnx/onnx-providers.ts'
import { local, type Provider } from '#providers/provider.ts'
import { compareAlpha, compose, photo } from '#tests/support/composites.ts'

/**
 * Every provider of a task on the same pictures, quality and time side by side: subject mattes of
 * pictures whose alpha is known, and of those that TASK_PICTURES names (a colon between two paths),
 * where the network's own mask is what the finished matte is compared with.
 */
const { modelsDir, engineThreads } = readConfig(process.env)
const onnx = createOnnxProviders({ modelsDir, threads: engineThreads })
const host = () => createNodeHost(new AbortController().signal, () => {})
const signal = new AbortController().signal

interface Case {
  name: string
  picture: Picture
  truth?: Uint8Array
}

async function cases(): Promise<Case[]> {
  const composites = ['sky', 'leaves', 'tiles', 'petals', 'table'].map(async (background): Promise<Case> => {
    const { png, alpha } = await compose(background, 1000, 1000, 1.5, 60)
    return { name: `portrait, ${background}`, picture: await decodePicture(png), truth: alpha }
  })
  const cup = await decodePicture(photo('coffee.jpg'))
  const known = await sharp(photo('coffee.alpha.png')).resize(cup.width, cup.height).greyscale().raw().toBuffer()
  const given = (process.env.TASK_PICTURES ?? '').split(':').filter(Boolean)
  const others = given.map(async (path) => ({
    name: path.split('/').at(-1) ?? '',
    picture: flatten(await decodePicture(readFileSync(path)), 128, 128, 128),
  }))
  return [
    ...(await Promise.all(composites)),
    { name: 'cup', picture: cup, truth: known },
    ...(await Promise.all(others)),
  ]
}

const bytesOf = ({ data }: Plane) => Uint8Array.from(data, (share) => share * 255 + 0.5)
const figures = (found: Uint8Array, truth: Uint8Array) => {
  const { overlap, difference } = compareAlpha(found, truth)
  return `IoU ${overlap.toFixed(4)}, |Δα| ${difference.toFixed(4)}`
}

/** The network's own mask and the finished matte, with the seconds of both steps. */
async function byProvider(provider: Provider, picture: Picture, subject: 'person' | 'thing') {
  const work = await matteWork(picture, { subject: subject === 'person' ? 'person' : 'object' }, host())
  const started = performance.now()
  const asked = { reference: crypto.randomUUID(), seat: null, width: null, height: null, sentAt: new Date() }
  const sent = { task: 'subjectMatte', ...asked } as const
  const id = await provider.submit({ ...sent, smaller: false, ...(await encodeTask(work)) }, signal)
  const report = await provider.poll({ ...sent, externalId: id }, signal)
  if (report.state !== 'done') throw new Error(`${provider.id}: ${JSON.stringify(report)}`)
  const { alpha } = await decodeTask<TaskResult['subjectMatte']>(report.result)
  const network = (performance.now() - started) / 1000
  const matte = await subjectMatte(picture, { subject: 'auto', found: alpha }, host())
  return { own: alpha, matte, network, whole: (performance.now() - started) / 1000 }
}

/** IoU of each case whose alpha is known, by provider. */
const overlaps = new Map<string, number[]>()
const note = (id: string, found: Uint8Array, truth: Uint8Array) =>
  overlaps.set(id, [...(overlaps.get(id) ?? []), compareAlpha(found, truth).overlap])
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const able: Provider[] = []
for (const provider of onnx.providers) if ((await provider.tasks()).includes('subjectMatte')) able.push(provider)
if (able.length === 0) console.log('no model for subjectMatte is installed: npm run models -- list')
for (const { name, picture, truth } of await cases()) {
  console.log(`\n${name}, ${picture.width} × ${picture.height}`)
  const subject = name.startsWith('portrait') ? 'person' : 'thing'
  const started = performance.now()
  const own = await subjectMatte(picture, { subject: subject === 'person' ? 'person' : 'object' }, host()).catch(
    () => undefined,
  )
  const seconds = ((performance.now() - started) / 1000).toFixed(2)
  if (truth) note(local, own ? bytesOf(own) : new Uint8Array(truth.length), truth)
  console.log(`  local: ${own && truth ? figures(bytesOf(own), truth) : own ? 'made' : 'found nothing'}, ${seconds} s`)
  for (const provider of able) {
    const { own: mask, matte, network, whole } = await byProvider(provider, picture, subject)
    if (truth) note(provider.id, bytesOf(matte), truth)
    const size = { width: picture.width, height: picture.height, fit: 'fill' } as const
    const raw = { width: mask.width, height: mask.height, channels: 1 } as const
    const enlarged = await sharp(bytesOf(mask), { raw }).resize(size).toColourspace('b-w').raw().toBuffer()
    const before = figures(bytesOf(matte), enlarged)
    console.log(
      `  ${provider.id}: ${truth ? figures(bytesOf(matte), truth) : ''} beside its own mask ${before}; ${network.toFixed(2)} s, ${whole.toFixed(2)} s in all`,
    )
  }
}
for (const { id } of able) {
  const [its, ours] = [mean(overlaps.get(id) ?? []), mean(overlaps.get(local) ?? [])]
  await recordVerdict(modelsDir, id, its > ours)
  console.log(
    `\n${id}: mean IoU ${its.toFixed(4)}, local ${ours.toFixed(4)}; it comes ${its > ours ? 'before' : 'after'} the engine`,
  )
}
await onnx.close()
