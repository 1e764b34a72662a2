import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { EngineError } from '#engine/error.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { flatten } from '#engine/image/pixels.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { decodeTask, encodeTask } from '#engine/node/task-files.ts'
import type { TaskName, TaskResult } from '#engine/task-types.ts'
import { recordVerdict } from '#providers/onnx/models-dir.ts'
import { createOnnxProviders } from '#providers/onnx/onnx-providers.ts'
import { engineProviderId, type Provider } from '#providers/provider.ts'
import { readConfig } from '#server-app/config.ts'
import { meanDifference } from '#tests/support/ciede2000.ts'
import { makeClip } from '#tests/support/clips.ts'
import { compareAlpha, compose, photo } from '#tests/support/composites.ts'
import { psnr } from '#tests/support/fidelity.ts'
import { compareVideoAlpha } from '#tests/support/judge-clip.ts'
import { readClip } from '#tests/support/read-clip.ts'
import { engineInput } from '#tests/support/run-tool.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import { toolContracts } from '#tools/contracts.ts'
import type { AnyEngine, Output } from '#tools/engine/tool-engine.ts'
import { toolEngines } from '#tools/engines.ts'

/**
 * Tools by the engine alone and with each installed model: quality, time, and rank. Pictures of
 * TASK_PICTURES (colon-separated paths) are cut out too, and compared with the network's own mask.
 */
const { modelsDir, engineThreads } = readConfig(process.env)
const onnx = createOnnxProviders({ modelsDir, threads: engineThreads })
const { signal } = new AbortController()
const host = createNodeHost(signal, () => {})

/** Higher scores are better. */
interface Case {
  name: string
  tool: keyof typeof toolContracts
  task: TaskName
  params?: object
  inputs: Record<string, readonly unknown[]>
  judge?(output: Output): { score: number; told: string } | Promise<{ score: number; told: string }>
}

const pictureOf = (output: Output): Picture => {
  if (!('picture' in output)) throw new Error('no picture')
  return output.picture
}
const alphaOf = (output: Output) => Uint8Array.from(pictureOf(output).data.filter((_, i) => i % 4 === 3))
const overlapWith = (truth: Uint8Array) => (output: Output) => {
  const { overlap, difference } = compareAlpha(alphaOf(output), truth)
  return { score: overlap, told: `IoU ${overlap.toFixed(4)}, |Δα| ${difference.toFixed(4)}` }
}
const likenessTo = (truth: Picture, mask?: Parameters<typeof psnr>[2]) => (output: Output) => {
  const score = psnr(pictureOf(output), truth, mask)
  return { score, told: `PSNR ${score.toFixed(2)} dB` }
}

async function mattes(): Promise<Case[]> {
  const of = (name: string, picture: Picture, truth?: Uint8Array): Case => {
    const judge = truth && { judge: overlapWith(truth) }
    return { name, tool: 'background-removal', task: 'subjectMatte', inputs: { picture: [picture] }, ...judge }
  }
  const portraits = ['sky', 'leaves', 'tiles', 'petals', 'table'].map(async (background) => {
    const { png, alpha } = await compose(background, 1000, 1000, 1.5, 60)
    return of(`portrait, ${background}`, await decodePicture(png), alpha)
  })
  const cup = await decodePicture(photo('coffee.jpg'))
  const known = await sharp(photo('coffee.alpha.png')).resize(cup.width, cup.height).greyscale().raw().toBuffer()
  const given = (process.env.TASK_PICTURES ?? '').split(':').filter(Boolean)
  const others = given.map(async (path) =>
    of(path.split('/').at(-1) ?? '', flatten(await decodePicture(readFileSync(path)), 128, 128, 128)),
  )
  return [...(await Promise.all(portraits)), of('cup', cup, known), ...(await Promise.all(others))]
}

/** A hole in the photograph, half its size, its greys, and its subject. */
async function others(name: string, bytes: Uint8Array): Promise<Case[]> {
  const square = await sharp(bytes).resize(512, 512, { fit: 'cover' }).png().toBuffer()
  const truth = await decodePicture(square)
  const small = await decodePicture(await sharp(square).resize(256).jpeg().toBuffer())
  const grey = { ...truth, data: truth.data.slice() }
  for (let i = 0; i < grey.data.length; i += 4) grey.data.fill(truth.data[i + 1] as number, i, i + 3)
  const hole = createPlane(512, 512)
  for (let y = 60; y < 130; y++) hole.data.fill(1, 512 * y + 40, 512 * y + 130)
  const mean = (output: Output) => {
    const difference = meanDifference(pictureOf(output), truth)
    return { score: -difference, told: `ΔE ${difference.toFixed(2)}` }
  }
  const plain = { denoise: 0.3, sharpness: 0, light: 0, colour: 0 }
  const enlarged = {
    tool: 'enhancement',
    params: plain,
    inputs: { picture: [small] },
    judge: likenessTo(truth),
  } as const
  const whole = { picture: [truth], background: [], logo: [], mask: [] }
  return [
    {
      name,
      tool: 'object-removal',
      task: 'inpaint',
      params: { margin: 0 },
      inputs: { ...whole, mask: [hole] },
      judge: likenessTo(truth, hole),
    },
    { name, task: 'upscale', ...enlarged },
    { name, task: 'restoreFaces', ...enlarged },
    { name, tool: 'colorizer', task: 'colorize', inputs: { picture: [grey] }, judge: mean },
    { name, tool: 'face-cutout', task: 'parseFace', inputs: whole },
    { name, tool: 'background-removal', task: 'depth', params: { background: { type: 'lens' } }, inputs: whole },
    { name, tool: 'background-diffusion', task: 'safety', inputs: whole },
  ]
}

async function videos(): Promise<Case[]> {
  const clip = await makeClip({ width: 384, height: 216, seconds: 1, frameRate: 10, sounds: 0 })
  const params = { subject: 'person', background: { type: 'transparent' } }
  const inputs = { video: [await engineInput('video', clip.bytes)], background: [] }
  const judge = async (output: Output) => {
    if (!('file' in output)) throw new Error('no video')
    const { difference, flicker } = await compareVideoAlpha(clip, (await readClip(output.file)).alphas())
    return { score: -difference, told: `|Δα| ${difference.toFixed(4)}, flicker ${flicker.toFixed(4)}` }
  }
  const given = { name: 'portrait that moves', tool: 'video-background-removal', task: 'videoMatte' } as const
  return [{ ...given, params, inputs, judge }]
}

const engines: Partial<Record<string, unknown>> = toolEngines

/** Without a provider the engine does the task. */
async function made({ tool: id, task, params, inputs }: Case, provider?: Provider) {
  const { defaults, tasks } = toolContracts[id] as AnyTool
  const engine = engines[id] as AnyEngine
  const input = { params: { ...defaults, ...params }, inputs: { background: [], logo: [], ...inputs }, done: {} }
  const [name = ''] = Object.keys(tasks).filter((key) => tasks[key] === task)
  const started = performance.now()
  const seconds = () => ((performance.now() - started) / 1000).toFixed(2)
  const results: object[] = []
  const works = provider ? ((await engine.prepare?.(input as never, host))?.[name] ?? []) : []
  if (provider && works.length === 0) return undefined
  for (const work of works) {
    const asked = { reference: crypto.randomUUID(), slot: null, width: null, height: null, sentAt: new Date() }
    const sent = { task, ...asked }
    const request = { ...sent, smaller: false, ...(await encodeTask(work)) }
    if (provider?.accepts?.(request) === false) return undefined
    const externalId = (await provider?.submit(request, signal)) as string
    const report = await provider?.poll({ ...sent, externalId }, signal)
    if (report?.state !== 'done') throw new Error(`${provider?.id}: ${JSON.stringify(report)}`)
    results.push(await decodeTask(report.result))
  }
  const network = seconds()
  const done = { ...input, done: { [name]: results } } as never
  const { outputs } = await engine.render(done, await engine.generate?.(done, host), host)
  return {
    output: outputs[0] as Output,
    results,
    times: provider ? `${network} s, ${seconds()} s in all` : `${seconds()} s`,
  }
}

/** Distance of a finished matte from the network's own mask. */
function besideMask(output: Output, { alpha }: TaskResult['subjectMatte']): string {
  const { width, height } = pictureOf(output)
  const own = resizeSmooth(alpha, width, height).data
  return `, beside its own mask ${overlapWith(Uint8Array.from(own, (share) => share * 255 + 0.5))(output).told}`
}

const able = new Map<TaskName, Provider[]>()
for (const provider of onnx.providers) {
  for (const task of await provider.tasks()) able.set(task, [...(able.get(task) ?? []), provider])
}
if (able.size === 0) console.log('no model is installed: npm run models -- list')
const cases = [
  ...(await mattes()),
  ...(await others('astronaut', photo('astronaut.jpg'))),
  ...(await others('coffee', photo('coffee.jpg'))),
  ...(await videos()),
]
const scores = new Map<string, Map<string, number>>()
for (const one of cases.filter(({ task }) => able.has(task))) {
  console.log(`\n${one.task}: ${one.name}`)
  for (const provider of [undefined, ...(able.get(one.task) ?? [])]) {
    const id = provider?.id ?? engineProviderId
    const note = (score: number) => {
      const key = `${one.task} ${id}`
      scores.set(key, (scores.get(key) ?? new Map()).set(one.name, score))
    }
    try {
      const result = await made(one, provider)
      if (!result) continue
      const judged = await one.judge?.(result.output)
      if (judged) note(judged.score)
      const isMatte = provider && one.task === 'subjectMatte'
      const beside = isMatte ? besideMask(result.output, result.results[0] as TaskResult['subjectMatte']) : ''
      console.log(`  ${id}: ${judged?.told ?? 'made'}${beside}; ${result.times}`)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      if (one.judge) note(Number.NEGATIVE_INFINITY)
      console.log(`  ${id}: ${error.code}`)
    }
  }
}
for (const [task, providers] of able) {
  for (const { id } of providers) {
    // Compared with the engine where both did the task.
    const names = [...(scores.get(`${task} ${id}`)?.keys() ?? [])]
    if (names.length === 0) continue
    const meanOf = (who: string) => {
      const all = scores.get(`${task} ${who}`)
      return names.reduce((sum, name) => sum + (all?.get(name) ?? 0), 0) / names.length
    }
    const [its, ours] = [meanOf(id), meanOf(engineProviderId)]
    await recordVerdict(modelsDir, id, its > ours)
    console.log(
      `\n${task}, ${id}: ${its.toFixed(4)}, ${engineProviderId} ${ours.toFixed(4)}; it comes ${its > ours ? 'before' : 'after'} the engine`,
    )
  }
}
await onnx.close()
