import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { desc } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { writeRadiance } from '#engine/image/radiance.ts'
import type { AddedLocation } from '#engine/scenes.ts'
import { inputDays } from '#features/generations/rules.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { removedDays } from '#features/locations/rules.ts'
import type { AdminLocation } from '#features/locations/schemas.ts'
import { locations } from '#features/locations/server/table.ts'
import { sweepFiles } from '#features/uploads/server/stored-files.ts'
import { auditLog } from '#server/audit/table.ts'
import { locationForm, locationTexts } from '#tests/support/locations.ts'
import { type S3Double, startS3Double } from '#tests/support/s3-double.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import { reached, readGeneration, refusal, submit, submitted } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import type { OfferedLocation } from '#tools/contract/schemas.ts'

let home: ServerHome
let storage: S3Double
let app: TestApp
let admin: TestUser
let user: TestUser
let thing: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  home = await createServerHome()
  // Engine threads read local files, so a storage elsewhere is the harder case.
  storage = await startS3Double()
  app = await createTestApp({ home, env: { WELCOME_CREDITS: '500', STORAGE: storage.address.href } })
  admin = await app.createUser({ role: 'admin' })
  user = await app.createUser()
  const coffee = new URL('../fixtures/photos/coffee.jpg', import.meta.url).pathname
  thing = new Uint8Array(await sharp(coffee).resize(160).png().toBuffer())
})
afterAll(async () => {
  await app.stop()
  await storage.close()
})

const path = '/api/admin/locations'
const list = async <Item>(from: Promise<Response>) => ((await (await from).json()) as { items: Item[] }).items
const offered = () => list<OfferedLocation>(app.request('/api/locations'))
const all = () => list<AdminLocation>(admin.request(path))
const send = (texts: object, file: Uint8Array) =>
  admin.request(path, { method: 'POST', body: locationForm(texts, file) })

/** Light of one colour, four times as much from above. */
function probe(colour: readonly [number, number, number], width = 128): Uint8Array {
  const data = new Float32Array(3 * width * (width / 2))
  for (let i = 0; i < data.length; i++) data[i] = colour[i % 3]! * (i < data.length / 2 ? 2 : 0.5)
  return writeRadiance({ width, height: width / 2, data })
}

const photo = (background: string, width = 400, height = 300) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg({ quality: 95 })
    .toBuffer()

async function added(texts: object, file: Uint8Array): Promise<OfferedLocation> {
  const before = new Set((await offered()).map(({ id }) => id))
  const answer = await send(texts, file)
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await offered()).find(({ id }) => !before.has(id)) as OfferedLocation
}

const make = async (params: object) => {
  const { id } = await submitted(user, {
    tool: 'background-diffusion',
    params: { variants: 1, format: 'png', match: 0, ...params },
    image: thing,
  })
  return reached(user, id, 'succeeded')
}
const versionsOf = ({ params }: GenerationView) =>
  ((params.locations ?? []) as AddedLocation[]).map(({ id, version }) => [id, version])

/** Mean colour of the upper left corner, where no thing stands. */
async function corner({ outputs }: GenerationView): Promise<[red: number, green: number, blue: number]> {
  const bytes = Buffer.from(await (await app.request(outputs[0]!.url)).arrayBuffer())
  const part = { left: 0, top: 0, width: 24, height: 24 }
  const data = await sharp(bytes).removeAlpha().extract(part).raw().toBuffer()
  const mean = (c: number) => data.reduce((sum, level, i) => sum + (i % 3 === c ? level : 0), 0) / (data.length / 3)
  return [mean(0), mean(1), mean(2)]
}

describe('a location that an admin adds', () => {
  test('is offered at once, found by its words, and shown in results', async () => {
    const beach = await added({}, probe([0.1, 0.8, 0.2]))
    expect(beach).toMatchObject({ id: 'added-pantai-sanur', kind: 'probe', name: locationTexts.name })
    expect(beach.words).toEqual(['pantai', 'pasir putih', 'beach', 'pantai sanur', 'sanur beach'])
    const picture = await app.request(beach.picture)
    expect(picture.headers.get('cache-control')).toContain('immutable')
    expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({
      format: 'webp',
      width: 270,
      height: 360,
    })

    const made = await make({ prompt: 'di pantai' })
    expect(versionsOf(made)).toEqual([[beach.id, beach.version]])
    const [red, green, blue] = await corner(made)
    expect(green - Math.max(red, blue)).toBeGreaterThan(5)
    const [entry] = await app.deps.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
    expect(entry).toMatchObject({ action: 'location.added', actorId: admin.id, subjectId: beach.id })
  })

  test('may be a photograph, which keeps its colours behind the subject', async () => {
    const market = await added(
      { name: { id: 'Pasar', en: 'Market' }, words: { id: 'pasar', en: 'market' } },
      await photo('#b06030'),
    )
    expect(market.kind).toBe('photo')
    const [red, green, blue] = await corner(await make({ scene: market.id }))
    for (const [level, wanted] of [
      [red, 0xb0],
      [green, 0x60],
      [blue, 0x30],
    ] as const)
      expect(Math.abs(level - wanted)).toBeLessThan(14)
    // The form keeps no other place for a file than the engine's own encoding of it.
    const [row] = await app.deps.db.select().from(locations).orderBy(desc(locations.version)).limit(1)
    expect(await sharp(Buffer.from(await app.deps.store.get(row!.fileKey))).metadata()).toMatchObject({
      format: 'webp',
    })
  })

  test('is a backdrop of headshots, with its version in the parameters', async () => {
    const [first] = await offered()
    const answer = await submit(user, { tool: 'headshot', params: { backdrop: first!.id }, image: thing })
    expect(await refusal(answer)).toEqual([403, 'consent.required'])
    const parsed = app.deps.tools.headshot!.parseParams({ backdrop: first!.id })
    expect(parsed).toMatchObject({ ok: true, params: { backdrop: first!.id } })
  })

  test('keeps its version in results, whatever an admin changes later; a removed one breaks none', async () => {
    const texts = { name: { id: 'Masjid', en: 'Mosque' }, words: { id: 'masjid', en: 'mosque' } }
    const first = await added(texts, probe([0.9, 0.2, 0.1]))
    const before = await make({ prompt: 'masjid' })
    const change = {
      ...locationTexts,
      name: { id: 'Surau', en: 'Prayer hall' },
      words: { id: 'surau', en: 'prayer' },
      active: true,
    }
    const put = (body: object) => admin.request(`${path}/${first.id}`, { method: 'PUT', json: body })
    expect((await put({ ...change, version: first.version })).status).toBe(200)
    expect(await refusal(await put({ ...change, version: first.version }))).toEqual([409, 'change.outdated'])
    const [second] = (await offered()).filter(({ id }) => id === first.id)
    expect(versionsOf(await make({ prompt: 'surau' }))).toEqual([[first.id, second!.version]])
    const unread = await submit(user, { tool: 'background-diffusion', params: { prompt: 'masjid' }, image: thing })
    expect(await refusal(unread)).toEqual([409, 'tool.scene_unknown'])

    expect((await admin.request(`${path}/${first.id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await offered()).some(({ id }) => id === first.id)).toBe(false)
    expect((await app.request(first.picture)).status).toBe(200)
    const gone = await submit(user, { tool: 'background-diffusion', params: { scene: first.id }, image: thing })
    expect(await refusal(gone)).toEqual([409, 'tool.scene_removed'])
    await sweepFiles(app.deps)
    const colour = await corner(before)
    const again = await user.request(`/api/generations/${before.id}/render`, { json: { params: { shadow: false } } })
    expect(again.status).toBe(200)
    const after = await readGeneration(user, before.id)
    expect(versionsOf(after)).toEqual([[first.id, first.version]])
    for (const [c, level] of (await corner(after)).entries()) expect(Math.abs(level - colour[c]!)).toBeLessThan(2)
    // Files stay longer than results can be rendered again.
    expect(removedDays).toBeGreaterThan(inputDays)
  })

  test('can be switched off and on', async () => {
    const [shown] = await all()
    const put = async (active: boolean) => {
      const { version, name, words, licence, source } = (await all()).find(({ id }) => id === shown!.id)!
      const json = { name, words, licence, source, active, version }
      expect((await admin.request(`${path}/${shown!.id}`, { method: 'PUT', json })).status).toBe(200)
    }
    await put(false)
    expect((await offered()).some(({ id }) => id === shown!.id)).toBe(false)
    const refused = await submit(user, { tool: 'background-diffusion', params: { scene: shown!.id }, image: thing })
    expect(await refusal(refused)).toEqual([409, 'tool.scene_removed'])
    await put(true)
    expect((await offered()).some(({ id }) => id === shown!.id)).toBe(true)
  })
})

test.runIf(process.env.TEST_DATABASE_URL)(
  'a location that one process adds is offered by the others at once, also by one without an engine',
  async () => {
    const env = { STORAGE: storage.address.href }
    const other = await createTestApp({ home: { ...home, drop: async () => {} }, role: 'web', env })
    onTestFinished(() => other.stop())
    const body = locationForm({ name: { id: 'Balai', en: 'Town hall' } }, probe([0.5, 0.5, 0.6]))
    expect((await other.request(path, { method: 'POST', body, token: admin.token })).status).toBe(200)
    const here = (await offered()).find(({ id }) => id === 'added-balai')
    expect(versionsOf(await make({ prompt: 'balai' }))).toEqual([['added-balai', here!.version]])
    expect((await admin.request(`${path}/added-balai`, { method: 'DELETE' })).status).toBe(200)
    const there = await list<OfferedLocation>(other.request('/api/locations'))
    expect(there.map(({ id }) => id)).not.toContain('added-balai')
  },
)

test('a client cannot name another version or file', async () => {
  const [shown] = await offered()
  const forged = [{ ...shown!, picture: undefined, version: shown!.version + 1000, exposure: 3 }]
  const made = await make({ scene: shown!.id, locations: JSON.parse(JSON.stringify(forged)) })
  expect(versionsOf(made)).toEqual([[shown!.id, shown!.version]])
})

describe('what is no location is refused, and nothing is stored', () => {
  const hostile = Buffer.from(probe([1, 1, 1])).toString('latin1')
  const cases: [name: string, file: () => Uint8Array | Promise<Uint8Array>, code: string][] = [
    ['a text', () => Buffer.from('<svg onload=alert(1)>'), 'upload.not_scene'],
    ['nothing', () => new Uint8Array(), 'upload.empty'],
    ['a square probe', () => probeOf(128, 128), 'upload.not_panorama'],
    ['a tiny probe', () => probe([1, 1, 1], 64), 'upload.probe_size'],
    [
      'a probe that announces a billion pixels',
      () => Buffer.from(hostile.replace('-Y 64 +X 128', '-Y 50000 +X 99999'), 'latin1'),
      'upload.probe_size',
    ],
    ['a cut off probe', () => probe([1, 1, 1]).slice(0, 3000), 'upload.unreadable'],
    ['a broken OpenEXR', () => Buffer.from('762f31010200000063', 'hex'), 'upload.unreadable'],
    ['a cut off photograph', async () => (await photo('#888')).subarray(0, 500), 'upload.unreadable'],
  ]
  test.each(cases)('%s', async (_, file, code) => {
    const before = await app.deps.db.$count(locations)
    expect((await refusal(await send({}, await file())))[1]).toBe(code)
    expect(await app.deps.db.$count(locations)).toBe(before)
  })

  test.each([
    ['no word', { words: { id: ' ', en: 'beach' } }, 'words.id'],
    ['a colour as a word', { words: { id: 'merah', en: 'beach' } }, 'words.id'],
    ['a phrase of four words', { words: { id: 'pantai', en: 'a b c d' } }, 'words.en'],
    ['no licence', { licence: '' }, 'licence'],
    ['an exposure beyond the limit', { exposure: 9 }, 'exposure'],
  ])('%s, beside its field', async (_, texts, field) => {
    const answer = await send(texts, probe([1, 1, 1]))
    const body = (await answer.json()) as { code: string; details: object }
    expect([answer.status, body.code, Object.keys(body.details)]).toEqual([422, 'form.invalid', [field]])
  })
})

const probeOf = (width: number, height: number) =>
  writeRadiance({ width, height, data: new Float32Array(3 * width * height).fill(1) })

test('the operator adds, lists, switches off and removes locations on the command line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rupa-scenes-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'sawah.hdr')
  await writeFile(file, probe([0.3, 0.5, 0.2]))
  const said: string[] = []
  const run = (...args: string[]) => app.composition.runCommand(['scenes', ...args], (line) => void said.push(line))
  const texts = ['--name', 'Sawah', '--name-en', 'Rice field', '--words', 'sawah', '--words-en', 'rice field']
  expect(await run('add', file, ...texts, '--licence', 'CC0')).toBe(1)
  expect(said.at(-1)).toContain('npm run scenes')
  expect(await run('add', file, ...texts, '--licence', 'CC0', '--source', 'own')).toBe(0)
  expect(said.at(-1)).toBe('added-sawah is added and offered')
  expect((await offered()).map(({ id }) => id)).toContain('added-sawah')
  expect(await run('list')).toBe(0)
  expect(said.join('\n')).toContain('Sawah / Rice field')
  expect(await run('off', 'added-sawah')).toBe(0)
  expect((await offered()).map(({ id }) => id)).not.toContain('added-sawah')
  expect(await run('remove', 'added-sawah')).toBe(0)
  expect(await run('on', 'added-sawah')).toBe(1)
  await writeFile(file, 'no probe')
  expect(await run('add', file, ...texts, '--licence', 'CC0', '--source', 'own')).toBe(1)
  expect(said.at(-1)).toContain('neither a light probe')
})
