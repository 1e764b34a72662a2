import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNotNull } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { AuditEntryView } from '#features/audit/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { resendJobs } from '#features/generations/server/execution/resend-jobs.ts'
import { generations } from '#features/generations/server/table.ts'
import { createComfyProviders } from '#providers/comfyui/comfyui-providers.ts'
import type { Provider } from '#providers/provider.ts'
import { consentVersions } from '#shared/consent.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import type { ToolView } from '#tools/contract/schemas.ts'
import { type FakeComfy, startFakeComfy } from '../support/comfyui.ts'
import { photo } from '../support/composites.ts'
import { readCredentials, signing } from '../support/content-credentials.ts'
import { createFakeProvider } from '../support/fake-provider.ts'
import {
  afterChanges,
  creditsOf,
  readGeneration,
  refusal,
  stopOpenGenerations,
  submit,
  submitted,
} from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

/** A ComfyUI server that paints, and real engines. */
const workflowsDir = mkdtempSync(join(tmpdir(), 'rupa-workflows-'))
const providers: Provider[] = []
let server: FakeComfy
let comfy: ReturnType<typeof createComfyProviders>
let app: TestApp
let user: TestUser
let admin: TestUser

beforeAll(async () => {
  server = await startFakeComfy()
  comfy = createComfyProviders({
    servers: [{ url: server.url, headers: {} }],
    workflowsDir,
    statusTtlMs: 20,
    lostAfterMs: 100,
  })
  app = await createTestApp({ providers, env: { WELCOME_CREDITS: '200', ...signing } })
  admin = await app.createUser({ role: 'admin' })
})
afterAll(async () => {
  await app.stop()
  comfy.close()
  await server.close()
  rmSync(workflowsDir, { recursive: true })
})
beforeEach(async () => {
  Object.assign(server, { prompts: [], uploads: [], edit: undefined })
  providers.splice(0, providers.length, ...comfy.providers)
  user = await app.createUser()
  await agree('biometric')
})
afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const agree = (kind: 'biometric' | 'remote') =>
  user.request('/api/user/consents', { json: { kind, version: consentVersions[kind] } })
const admiral = new Uint8Array(await sharp(photo('grace_hopper.jpg')).resize(256).jpeg().toBuffer())
const astronaut = new Uint8Array(await sharp(photo('astronaut.jpg')).resize(256).jpeg().toBuffer())

const ended = (id: string) => until(id, ({ finishedAt }) => expect(finishedAt).not.toBeNull())

async function until(id: string, expectation: (view: GenerationView) => void): Promise<GenerationView> {
  return afterChanges(user, id, async () => {
    app.clock.advance({ seconds: 3 })
    await app.deps.db.update(generations).set({ waitUntil: app.clock.now() }).where(isNotNull(generations.waitUntil))
    await resendJobs(app.deps)
    const view = await readGeneration(user, id)
    expectation(view)
    return view
  })
}
const run = async (tool: string, params: object, image = admiral) =>
  ended((await submitted(user, { tool, params, image })).id)
const files = (view: GenerationView) =>
  Promise.all(view.outputs.map(async ({ url }) => Buffer.from(await (await user.request(url)).arrayBuffer())))
const toolOf = async (id: string) => {
  const { items } = (await (await user.request('/api/tools')).json()) as { items: ToolView[] }
  return items.find((tool) => tool.id === id)
}
const meanOf = async (bytes: Buffer, part: { left: number; top: number; width: number; height: number }) => {
  // Statistics ignore extract, so it is encoded first.
  const cut = await sharp(bytes).extract(part).removeAlpha().png().toBuffer()
  return (await sharp(cut).stats()).channels.map(({ mean }) => mean)
}

async function paintClothes(given: Uint8Array): Promise<Uint8Array> {
  const { width = 1, height = 1 } = await sharp(given).metadata()
  const top = Math.round(0.62 * height)
  const clothes = await sharp({ create: { width, height: height - top, channels: 3, background: '#b000b0' } })
    .png()
    .toBuffer()
  return sharp(given)
    .modulate({ brightness: 1.15 })
    .composite([{ input: clothes, left: 0, top }])
    .png()
    .toBuffer()
}

test('an option without a provider is not offered, and refused before anything is charged', async () => {
  providers.splice(0)
  expect((await toolOf('passport-photo'))?.others).not.toContain('outfit')
  const before = await creditsOf(user)
  const answer = await submit(user, { tool: 'passport-photo', params: { outfit: 'suit' }, image: admiral })
  expect(await refusal(answer)).toEqual([409, 'tool.option_unavailable'])
  expect(await creditsOf(user)).toBe(before)
})

test('a task that only providers can do fails when all of them have failed, and is refunded', async () => {
  server.faults = ['error']
  const before = await creditsOf(user)
  const view = await run('instant-edit', { prompt: 'langit biru', format: 'png' })
  expect(view).toMatchObject({ status: 'failed', error: { code: 'engine.provider_failed' } })
  expect(server.prompts).toHaveLength(1)
  expect(await creditsOf(user)).toBe(before)
})

test('a task of a hosted service requires the consent to send pictures there', async () => {
  const elsewhere = { ...createFakeProvider('fal', { tasks: ['outfit'] }), remote: true }
  providers.splice(0, providers.length, elsewhere)
  expect(await toolOf('passport-photo')).toMatchObject({
    others: ['outfit', 'selectObject'],
    remote: { outfit: 'fal' },
  })
  const given = { tool: 'passport-photo', params: { outfit: 'suit' }, image: admiral }
  expect(await refusal(await submit(user, given))).toEqual([403, 'consent.remote_required'])
  await agree('remote')
  const { id } = await submitted(user, given)
  // The provider returns a grey square without a face.
  expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'engine.little_alike' } })
  expect(elsewhere.calls[0]).toBe('submit outfit')
  // An admin forbids remote processing for this tool.
  const set = (remoteAllowed: boolean) =>
    admin.request('/api/admin/tools/passport-photo', { method: 'PATCH', json: { remoteAllowed } })
  expect((await set(false)).status).toBe(200)
  expect(await toolOf('passport-photo')).toMatchObject({ others: ['selectObject'], remote: {} })
  expect(await toolOf('headshot')).toMatchObject({ id: 'headshot' })
  const before = await creditsOf(user)
  expect(await refusal(await submit(user, given))).toEqual([409, 'tool.option_unavailable'])
  expect(await creditsOf(user)).toBe(before)
  const audited = await admin.request('/api/admin/audit?subjectKind=tool&subjectId=passport-photo')
  const { items } = (await audited.json()) as { items: AuditEntryView[] }
  expect(items[0]).toMatchObject({ before: { remoteAllowed: true }, after: { remoteAllowed: false } })
  expect((await set(true)).status).toBe(200)
  expect(await toolOf('passport-photo')).toMatchObject({ remote: { outfit: 'fal' } })
})

test('a passport photo in other clothes costs twice as much, and its file declares the use of AI', async () => {
  server.edit = paintClothes
  expect((await toolOf('passport-photo'))?.others).toContain('outfit')
  const before = await creditsOf(user)
  const view = await run('passport-photo', { outfit: 'suit' })
  expect([view.status, view.credits, before - (await creditsOf(user))]).toEqual(['succeeded', 20, 20])
  const [made] = (await files(view)) as [Buffer]
  const { width, height, xmp } = await sharp(made).metadata()
  expect(xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia')
  const hem = { left: 0, top: Math.round(0.9 * height), width, height: Math.round(0.1 * height) }
  const [red = 0, green = 0] = await meanOf(made, hem)
  expect(red - green).toBeGreaterThan(80)
  const { positive } = server.prompts.at(-1)?.graph ?? {}
  expect(positive?.inputs.prompt).toContain('formal suit jacket')
})

test('a generated face of another person is not delivered, and is refunded', async () => {
  server.edit = async () => astronaut
  const before = await creditsOf(user)
  const view = await run('passport-photo', { outfit: 'shirt' })
  expect(view).toMatchObject({ status: 'failed', error: { code: 'engine.little_alike' } })
  expect(await creditsOf(user)).toBe(before)
})

test('new photographs of a person come with their similarity, without those of another person', async () => {
  let asked = 0
  server.edit = async (given) =>
    asked++ % 2 === 0 ? sharp(given).modulate({ brightness: 1.1 }).png().toBuffer() : astronaut
  const before = await creditsOf(user)
  server.faults = [undefined, 'held']
  const { id } = await submitted(user, {
    tool: 'headshot',
    params: { style: 'traditional', ratio: '1:1' },
    image: admiral,
  })
  await until(id, ({ progress }) => {
    server.progress(5, 10)
    expect(progress).toBe(0.375)
  })
  await server.release()
  const view = await ended(id)
  expect(view).toMatchObject({ status: 'succeeded', credits: 40 })
  expect(before - (await creditsOf(user))).toBe(40)
  expect(view.outputs.map(({ label }) => label)).toEqual(
    [1, 2].map((i) => expect.stringMatching(`^${i} · (9\\d|100)%$`)),
  )
  const [made] = (await files(view)) as [Buffer]
  const { width, height, xmp } = await sharp(made).metadata()
  expect(width).toBe(height)
  expect(xmp?.toString()).toContain('digitalsourcetype/trainedAlgorithmicMedia')
  const seeds = server.prompts.map(({ graph }) => graph.sampler?.inputs.seed)
  expect(seeds).toEqual([1, 2, 3, 4])
  expect(server.prompts[0]?.graph.positive?.inputs.prompt).toContain('batik')
})

/**
 * Tool, options, price, part of the prompt, digital source type, number of pictures from a red one.
 */
test.each([
  ['cartoonizer', { redraw: 'clay', format: 'png' }, 16, 'modelling clay', 'trainedAlgorithmicMedia', 1],
  [
    'instant-edit',
    { prompt: 'langit biru', format: 'png' },
    10,
    'langit biru',
    'compositeWithTrainedAlgorithmicMedia',
    1,
  ],
  ['enhancement', { scale: 2, invent: true, format: 'png' }, 10, undefined, 'compositeWithTrainedAlgorithmicMedia', 1],
  ['colorizer', { full: true, format: 'png' }, 16, 'Restore and colorize', 'compositeWithTrainedAlgorithmicMedia', 3],
] as const)(
  '%s sends the AI tasks to a provider, marks the results and costs the quoted price',
  async (tool, params, price, words, source, count) => {
    server.edit = async (given) => {
      const { width = 1, height = 1 } = await sharp(given).metadata()
      return sharp({ create: { width, height, channels: 3, background: '#c03020' } })
        .png()
        .toBuffer()
    }
    const image = tool === 'colorizer' ? new Uint8Array(await sharp(admiral).greyscale().jpeg().toBuffer()) : admiral
    const { width = 0, height = 0 } = await sharp(image).metadata()
    const before = await creditsOf(user)
    const view = await run(tool, params, image)
    expect(view).toMatchObject({ status: 'succeeded', credits: price, provider: expect.stringContaining('comfyui:') })
    expect(before - (await creditsOf(user))).toBe(price)
    const made = await files(view)
    expect(made).toHaveLength(count)
    const { xmp, ...size } = await sharp(made[0]).metadata()
    expect(xmp?.toString()).toContain(`digitalsourcetype/${source}`)
    const factor = tool === 'enhancement' ? 2 : 1
    expect([size.width, size.height]).toEqual([factor * width, factor * height])
    const [red = 0, green = 0] = await meanOf(made[0]!, { left: 0, top: 0, width: 40, height: 40 })
    expect(red - green).toBeGreaterThan(100)
    if (words) expect(server.prompts[0]?.graph.positive?.inputs.prompt).toContain(words)
    if (tool === 'enhancement') {
      const face = { left: Math.round(0.9 * width), top: Math.round(0.45 * height), width: 60, height: 60 }
      const [own = 0, other = 0] = await meanOf(made[0]!, face)
      expect(own - other).toBeLessThan(90)
    }
    if (tool === 'colorizer') {
      // Only AI results have XMP that says so.
      expect((await sharp(made[2]).metadata()).xmp?.toString()).toContain('digitalsourcetype/algorithmicallyEnhanced')
    }
  },
)

test('a background comes from the words and the matte, behind the subject’s own pixels, and is signed', async () => {
  // This server only has the files of the workflow that paints around the subject.
  const lacking = ['diffusion_models/qwen_image_edit_2511_bf16.safetensors', 'background_removal/birefnet.safetensors']
  for (const file of lacking) server.lacks.add(file)
  const doers = async () => {
    const able = await Promise.all(comfy.providers.map(async ({ id, tasks }) => ({ id, tasks: await tasks() })))
    return able.filter(({ tasks }) => tasks.includes('background')).map(({ id }) => id)
  }
  await vi.waitFor(async () => expect(await doers()).toEqual(['comfyui:background/sdxl-inpainting']), {
    timeout: 300_000,
  })
  const params = { prompt: 'pantai Bali', variants: 1, shadow: false, format: 'png' }
  const view = await run('background-diffusion', params, astronaut)
  expect(view).toMatchObject({ status: 'succeeded', provider: expect.stringContaining('background/sdxl-inpainting') })
  expect(view.facts).toMatchObject({ studioScene: false })
  const made = await files(view)
  const source = expect.stringContaining('/compositeWithTrainedAlgorithmicMedia')
  expect(await readCredentials(made[0]!, 'image/png')).toEqual({ problems: [], source })
  const [before, ...after] = await Promise.all(
    [Buffer.from(astronaut), ...made].map(async (bytes) =>
      sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
    ),
  )
  const { width, height } = before!.info
  const [face, corner] = [3 * (Math.round(0.25 * height) * width + Math.round(0.43 * width)), 3 * (width - 3)]
  for (const { data } of after) {
    expect([...data.subarray(face, face + 30)]).toEqual([...before!.data.subarray(face, face + 30)])
    expect([...data.subarray(corner, corner + 3)]).toEqual([0x20, 0x80, 0x40])
  }
  expect(server.prompts.map(({ graph }) => graph.positive?.inputs.text)).toEqual([
    expect.stringContaining('pantai Bali'),
  ])
  expect(server.uploads.filter((name) => name.endsWith('-matte.png'))).toHaveLength(1)
  server.lacks.clear()
})
