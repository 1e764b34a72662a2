import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { GenerationView, ModelView, ProviderView } from '#features/generations/schemas.ts'
import { providerJobs, providerOrders } from '#features/generations/server/table.ts'
import { providersFor } from '#features/generations/server/tasks/provider-order.ts'
import { addFiles } from '#providers/onnx/fetch-model.ts'
import { entryOf, fileOf, findDamage, findInstalled, recordVerdict, removeModel } from '#providers/onnx/models-dir.ts'
import { createOnnxProviders } from '#providers/onnx/onnx-providers.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import { makeClip } from '../support/clips.ts'
import { type TinyModel, writeModel } from '../support/onnx-models.ts'
import { readClip } from '../support/read-clip.ts'
import { creditsOf, reached, stopOpenGenerations, submit, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'rupa-models-'))
const modelsDir = join(folder, 'models')
const onnx = createOnnxProviders({ modelsDir, threads: 1, memoryLimit: 2 ** 30 })
const isnetOf = (providers: typeof onnx.providers) => providers.find(({ id }) => id === 'isnet')!
let app: TestApp
let user: TestUser
let admin: TestUser

/** Marks red as subject, or what `weights` of red, green and blue make; `more` happens before. */
function network(
  more: Pick<TinyModel, 'operations' | 'constants'> = { operations: [] },
  weights: readonly number[] = [1, -1, -1],
): Buffer {
  const shape = (channels: number) => [1, channels, 1024, 1024]
  return writeModel({
    inputs: [{ name: 'in', shape: shape(3) }],
    outputs: [{ name: 'alpha', shape: shape(1) }],
    // The bias undoes the normalization, so that other colours are below 0; the sign of the
    // difference hides the overshoot of enlarging.
    constants: { weights: { dims: [1, 3, 1, 1], data: weights }, bias: { dims: [1], data: [-0.5] }, ...more.constants },
    operations: [
      { op: 'Conv', ins: ['in', 'weights', 'bias'], outs: ['difference'] },
      { op: 'Sign', ins: ['difference'], outs: ['red'] },
      ...more.operations,
      { op: 'Identity', ins: [more.operations.at(-1)?.outs[0] ?? 'red'], outs: ['alpha'] },
    ],
  })
}
async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
function endless(): Buffer {
  const side = 401
  const kernel = { dims: [1, 1, side, side], data: new Array(side * side).fill(0) }
  const chain = Array.from({ length: 60 }, (_, i) => ({
    op: 'Conv',
    ins: [i ? `step${i}` : 'red', 'kernel'],
    outs: [`step${i + 1}`],
    attributes: { pads: new Array(4).fill((side - 1) / 2) },
  }))
  return network({ constants: { kernel }, operations: chain })
}
function everything(): Buffer {
  return writeModel({
    inputs: [{ name: 'in', shape: [1, 3, 'h', 'w'] }],
    outputs: [{ name: 'alpha', shape: [1, 1, 'h', 'w'] }],
    constants: { nothing: { dims: [1, 3, 1, 1], data: [0, 0, 0] }, one: { dims: [1], data: [1] } },
    operations: [{ op: 'Conv', ins: ['in', 'nothing', 'one'], outs: ['alpha'] }],
  })
}
const install = async (content: Buffer, name = 'isnet') => {
  const path = join(folder, 'given.onnx')
  writeFileSync(path, content)
  return addFiles(modelsDir, entryOf(name), { model: path }, { own: true })
}
const run = async () => {
  const square = await sharp({ create: { width: 120, height: 100, channels: 3, background: '#d02020' } })
    .png()
    .toBuffer()
  const ground = sharp({ create: { width: 320, height: 240, channels: 3, background: '#205020' } })
  const image = new Uint8Array(
    await ground
      .composite([{ input: square }])
      .png()
      .toBuffer(),
  )
  return submitted(user, { tool: 'background-removal', params: { subject: 'object' }, image })
}
const runVideo = async (network: Buffer) => {
  await install(network, 'modnet-video')
  const order = { tool: null, providers: ['modnet-video', 'local'], version: 0 }
  await admin.request('/api/admin/tasks/videoMatte', { method: 'PUT', json: order })
  const params = { subject: 'person', background: { type: 'transparent' } }
  const { bytes } = await clip
  return (await submitted(user, { tool: 'video-background-removal', params, image: bytes, name: 'a.mp4' })).id
}
const clip = makeClip({ width: 192, height: 144, seconds: 0.4, frameRate: 10 })
const stateOf = async (id = 'isnet') => {
  const { items } = (await (await admin.request('/api/admin/providers')).json()) as { items: ProviderView[] }
  return items.find((view) => view.id === id)
}

beforeAll(async () => {
  app = await createTestApp({ providers: onnx.providers, env: { MODELS_DIR: modelsDir } })
  admin = await app.createUser({ role: 'admin' })
})
afterAll(async () => {
  await app.stop()
  await onnx.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  user = await app.createUser()
  const order = { tool: null, providers: ['isnet', 'local'], version: 0 }
  await install(network())
  await admin.request('/api/admin/tasks/subjectMatte', { method: 'PUT', json: order })
})
afterEach(async () => {
  await stopOpenGenerations(app)
  await app.deps.db.delete(providerOrders)
  for (const name of ['isnet', 'modnet-video']) await removeModel(modelsDir, name)
})

test('an installed model does the task, is named on the result, and is in the list of admins', async () => {
  expect(await reached(user, (await run()).id)).toMatchObject({ status: 'succeeded', provider: 'isnet' })
  expect(await stateOf()).toMatchObject({ tasks: ['subjectMatte'], ok: true })
})

test('a photo with an uncertain subject is asked about before the charge, also where a model answers otherwise', async () => {
  const image = new Uint8Array(readFileSync('tests/fixtures/photos/rocket.jpg'))
  const given = { tool: 'background-removal', image }
  const asked = vi.spyOn(isnetOf(onnx.providers), 'submit')
  const before = await creditsOf(user)
  const form = new FormData()
  form.set('image', new Blob([image]), 'rocket.jpg')
  const found = await user.request('/api/tools/background-removal/check', { method: 'POST', body: form })
  const { problems } = (await found.json()) as PhotoCheckView
  expect(problems[0]).toMatchObject({ path: 'box', code: 'engine.subject_unsure' })
  expect(asked).toHaveBeenCalledTimes(1)
  const refused = await submit(user, given)
  expect([refused.status, await creditsOf(user)]).toEqual([422, before])
  expect(await refused.json()).toMatchObject({ code: 'engine.subject_unsure' })
})

test('a model that shows another subject than the engine is not used, and not named on the result', async () => {
  await install(network(undefined, [-1, 1, -1]))
  const view = await reached(user, (await run()).id)
  expect(view).toMatchObject({ status: 'succeeded', provider: 'local' })
  expect(view.warnings.map(({ code }) => code)).toContain('provider_fallback')
})

test('a model removed while the server runs is no longer used', async () => {
  await removeModel(modelsDir, 'isnet')
  expect(await reached(user, (await run()).id)).toMatchObject({ status: 'succeeded', provider: 'local' })
})

test('a model removed after it was chosen is replaced by the engine, and admins see the reason', async () => {
  const provider = isnetOf(onnx.providers)
  const { submit } = provider
  vi.spyOn(provider, 'submit').mockImplementationOnce(async (...asked) => {
    await removeModel(modelsDir, 'isnet')
    return submit(...asked)
  })
  expect(await reached(user, (await run()).id)).toMatchObject({ status: 'succeeded', provider: 'local' })
  expect((await stateOf())?.lastError).toMatch('isnet is not installed')
})

test('a network is stopped when its generation is cancelled', async () => {
  const id = await runVideo(endless())
  const asked = async () => {
    const [job] = await app.deps.db.select().from(providerJobs).where(eq(providerJobs.generationId, id))
    expect(job?.state).toBe('waiting')
  }
  await vi.waitFor(asked, 60_000)
  expect((await user.request(`/api/generations/${id}/cancel`, { method: 'POST' })).status).toBeLessThan(300)
  expect(await reached(user, id)).toMatchObject({ status: 'cancelled' })
  expect(await reached(user, await runVideo(everything()))).toMatchObject({ provider: 'modnet-video' })
})

test('a model finds the people of a video, whose background is changed afterwards without it', async () => {
  const id = await runVideo(everything())
  const first = await reached(user, id)
  expect(first).toMatchObject({ status: 'succeeded', provider: 'modnet-video' })
  const clipOf = async (view: GenerationView) =>
    readClip(new Uint8Array(await (await app.request(view.outputs[0]!.url)).arrayBuffer()))
  const { bytes, times } = await clip
  const alphas = await listOf((await clipOf(first)).alphas())
  expect(alphas.map((alpha) => Math.min(...alpha) > 250)).toEqual(times.map(() => true))
  await removeModel(modelsDir, 'modnet-video')
  const json = { params: { background: { type: 'color', color: '#0090ff' } } }
  const again = (await (
    await user.request(`/api/generations/${id}/render`, { method: 'POST', json })
  ).json()) as GenerationView
  expect(again).toMatchObject({ status: 'succeeded', outputs: [{ contentType: 'video/mp4' }] })
  const [shown, given] = await Promise.all([clipOf(again), readClip(bytes)])
  const [after, before] = [await listOf(shown.frames()), await listOf(given.frames())]
  expect(after.map((frame, i) => Math.abs(frame[0]! - before[i]![0]!) < 12)).toEqual(times.map(() => true))
})

/** Faults of a model's file or network, and the reason that admins see; most run in the soak. */
const faults: [name: string, spoil: () => unknown, reason: RegExp][] = [
  [
    'whose file was damaged',
    async () => {
      appendFileSync(fileOf(join(modelsDir, 'isnet'), 'model'), 'x')
      // An already open model still works.
      await onnx.close()
    },
    /has changed since it was added/,
  ],
  ['that is no model', () => install(Buffer.from('no model')), /protobuf parsing failed/],
  [
    'that takes all memory',
    () =>
      install(
        network({
          constants: { size: { dims: [4], data: [1, 1024, 1024, 1024], type: 'int64' } },
          operations: [
            { op: 'ConstantOfShape', ins: ['size'], outs: ['much'] },
            { op: 'ReduceMax', ins: ['much'], outs: ['most'] },
            { op: 'Add', ins: ['red', 'most'], outs: ['sum'] },
          ],
        }),
      ),
    /used more than 1024 MB|ended with/,
  ],
  [
    'that does not end',
    async () => {
      await install(endless())
      // Only this model reaches the time limit.
      const { providers } = createOnnxProviders({ modelsDir, threads: 1, timeLimit: 1000 })
      const { submit, poll } = isnetOf(providers)
      vi.spyOn(isnetOf(onnx.providers), 'submit').mockImplementationOnce(submit)
      vi.spyOn(isnetOf(onnx.providers), 'poll').mockImplementationOnce(poll)
    },
    /has not answered for 1 s/,
  ],
]
const common = ['that is no model', 'that does not end']

test.each(process.env.SOAK ? faults : faults.filter(([name]) => common.includes(name)))(
  'a model %s is replaced by the engine, admins see the reason, and the server survives',
  async (_, spoil, reason) => {
    await spoil()
    const { id, credits } = await run()
    const view = await reached(user, id)
    expect(view).toMatchObject({ status: 'succeeded', provider: 'local' })
    expect(view.warnings.map(({ code }) => code)).toContain('provider_fallback')
    expect((await stateOf())?.lastError).toMatch(reason)
    expect(await creditsOf(user)).toBe(25 - credits)
    await install(network())
    expect(await reached(user, (await run()).id)).toMatchObject({ provider: 'isnet' })
  },
)

test('a model with manually copied files is found and does the task', async () => {
  await removeModel(modelsDir, 'isnet')
  mkdirSync(join(modelsDir, 'isnet'))
  writeFileSync(fileOf(join(modelsDir, 'isnet'), 'model'), network())
  expect(await reached(user, (await run()).id)).toMatchObject({ status: 'succeeded', provider: 'isnet' })
})

test('the bench’s findings about a model decide if it comes before the engine', async () => {
  const usual = async () => {
    const providers = await providersFor({ ...app.deps }, app.deps.tools['background-removal']!)
    return providers.get('matte')?.map(({ id }) => id)
  }
  await app.deps.db.delete(providerOrders)
  expect(await usual()).toEqual([])
  await recordVerdict(modelsDir, 'isnet', true)
  expect(await usual()).toEqual(['isnet'])
  await recordVerdict(modelsDir, 'isnet', false)
  expect(await usual()).toEqual([])
})

test('a file with an unexpected digest changes nothing, unless it is declared as one’s own', async () => {
  const file = { model: fileOf(join(modelsDir, 'isnet'), 'model') }
  await expect(addFiles(modelsDir, entryOf('migan'), file)).rejects.toThrow('is not the file that is known')
  expect(await findInstalled(modelsDir, entryOf('migan'))).toBeUndefined()
  expect(await addFiles(modelsDir, entryOf('migan'), file, { own: true })).toMatchObject({ own: true })
  await removeModel(modelsDir, 'migan')
  const model = await findInstalled(modelsDir, entryOf('isnet'))
  expect(model && (await findDamage(model))).toBeUndefined()
})

test('admins install a model once they accept its terms, see the reason of a failure, and remove one', async () => {
  const path = '/api/admin/models'
  const modelOf = async (name: string) => {
    const { items } = (await (await admin.request(path)).json()) as { items: ModelView[] }
    return items.find((model) => model.name === name)
  }
  expect(await modelOf('isnet')).toMatchObject({ installed: true, licence: 'Apache-2.0', trustsFirstDownload: false })
  expect(await modelOf('nsfw-freepik')).toMatchObject({ objection: 'checksum', trustsFirstDownload: true })
  expect(await modelOf('slimsam')).toMatchObject({ recommended: true, improves: expect.stringContaining('tap') })
  expect((await admin.request(`${path}/esrgan`, { json: { accepted: false } })).status).toBe(422)
  expect((await admin.request(`${path}/nothing`, { json: { accepted: true } })).status).toBe(404)
  expect((await admin.request(`${path}/esrgan`, { json: { accepted: true } })).status).toBe(202)
  await vi.waitFor(async () => {
    expect(await modelOf('esrgan')).toMatchObject({
      installed: false,
      failure: expect.stringContaining('could not be downloaded'),
    })
  }, 120_000)
  expect((await admin.request(`${path}/isnet`, { method: 'DELETE' })).status).toBe(204)
  expect(await modelOf('isnet')).toMatchObject({ installed: false })
})
