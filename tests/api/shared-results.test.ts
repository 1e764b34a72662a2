import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generations } from '#features/generations/server/table.ts'
import type { SharedLink, SharedResult, ShareInput } from '#features/shared-results/schemas.ts'
import { deleteExpiredLinks } from '#features/shared-results/server/share-result.ts'
import { sharedResults } from '#features/shared-results/server/table.ts'
import { users } from '#server/auth/table.ts'
import { countHits } from '#tests/support/count-hits.ts'
import { createFakeEngine, type FakeEngine, succeed } from '#tests/support/fake-engine.ts'
import { reached, refusal, submitted } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
let engine: FakeEngine
let photo: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  const distDir = mkdtempSync(join(tmpdir(), 'rupa-dist-'))
  writeFileSync(
    join(distDir, 'index.html'),
    '<!doctype html><html lang="id"><head><meta name="description" content="x"><title>Rupa</title></head></html>',
  )
  engine = createFakeEngine()
  app = await createTestApp({ engine, distDir })
  const exif = { IFD0: { Model: 'Kamera Sari' }, IFD2: { DateTimeOriginal: '2026:11:20 08:00:00' } }
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#c04020' } })
  photo = new Uint8Array(await picture.withExif(exif).jpeg().toBuffer())
})
afterAll(() => app.stop())

const name = 'Sari Rahasia'
async function withResult(): Promise<{ user: TestUser; id: string }> {
  const user = await app.createUser({ name })
  const { id } = await submitted(user, { image: photo, name: 'Sari di Bali.jpg' })
  await reached(user, id, 'succeeded')
  return { user, id }
}
async function share(user: TestUser, id: string, given: Partial<ShareInput> = {}): Promise<SharedLink> {
  const json = { generationId: id, position: 0, days: 7, withOriginal: false, password: null, ...given }
  const response = await user.request('/api/user/shared_results', { json })
  expect(response.status).toBe(201)
  return (await response.json()) as SharedLink
}
const tokenOf = ({ path }: SharedLink) => path.split('/').at(-1) as string
const open = (link: SharedLink, password: string | null = null, from = '203.0.113.7') =>
  app.request(`/api/shared_results/${tokenOf(link)}/open`, { json: { password }, from })
const shown = async (response: Response) => (await response.json()) as SharedResult
const ended = [404, 'shared_result.not_found']
const linksOf = async (user: TestUser) =>
  ((await (await user.request('/api/user/shared_results')).json()) as { items: SharedLink[] }).items

test('a stranger sees the result and its original, and nothing about the owner', async () => {
  const { user, id } = await withResult()
  const link = await share(user, id, { withOriginal: true })
  const response = await open(link)
  const view = await shown(response.clone())
  expect(view).toMatchObject({ tool: 'background-removal', place: { x: 0, y: 0, scale: 1, angle: 0 } })
  const [result, original] = await Promise.all(
    [view.result, view.original].map((picture) => app.request(picture?.url ?? '')),
  )
  expect(await result?.clone().text()).toContain('output of')
  const sent = Buffer.from((await original?.clone().arrayBuffer()) ?? new ArrayBuffer())
  expect((await sharp(sent).metadata()).width).toBe(40)

  const page = await app.request(link.path, { headers: { accept: 'text/html' } })
  const { inputs, outputs } = await reached(user, id)
  const ids = [...inputs, ...outputs].map((file) => file.id)
  for (const answer of [response, result, original, page]) {
    const told = `${JSON.stringify([...(answer as Response).headers])} ${await (answer as Response).text()}`
    for (const secret of ['Sari', 'Rahasia', 'Bali', user.id, user.email, id, link.id, ...ids, '2026:11']) {
      expect(told).not.toContain(secret)
    }
  }
  for (const answer of [response, result, original, page]) {
    expect(answer?.headers.get('x-robots-tag')).toContain('noindex')
    expect(answer?.headers.get('referrer-policy')).toBe('no-referrer')
  }
})

test('without the original there is none, and a mark or a second photograph never is one', async () => {
  const { user, id } = await withResult()
  const link = await share(user, id)
  expect((await shown(await open(link))).original).toBeNull()
  for (const picture of ['original', 'input', 'kept', '..%2Fresult']) {
    expect(await refusal(await app.request(`/api/shared_results/${tokenOf(link)}/${picture}`))).toEqual(ended)
  }
})

test('a link expires after its days, and with its result at the latest', async () => {
  const { user, id } = await withResult()
  const [short, long] = [await share(user, id, { days: 1 }), await share(user, id, { days: 30 })]
  expect(Date.parse(long.expiresAt)).toBeLessThanOrEqual(Date.parse((await reached(user, id)).expiresAt))
  const json = { generationId: id, position: 0, days: 31, withOriginal: false, password: null }
  expect(await refusal(await user.request('/api/user/shared_results', { json }))).toEqual([422, 'form.invalid'])
  app.clock.advance({ days: 1, minutes: 1 })
  expect(await refusal(await open(short))).toEqual(ended)
  expect((await open(long)).status).toBe(200)
  await app.deps.db.update(generations).set({ expiresAt: app.clock.now() }).where(eq(generations.id, id))
  expect(await refusal(await open(long))).toEqual(ended)
  await deleteExpiredLinks(app.deps)
  expect(await app.deps.db.select().from(sharedResults).where(eq(sharedResults.id, short.id))).toEqual([])
})

test('a link ended by its owner shows nothing from then on, and no other user can end it', async () => {
  const { user, id } = await withResult()
  const [link, other] = [await share(user, id), await app.createUser()]
  const view = await shown(await open(link))
  const seen = await app.request(view.result.url)
  const end = (person: TestUser) => person.request(`/api/user/shared_results/${link.id}`, { method: 'DELETE' })
  await end(other)
  expect((await open(link)).status).toBe(200)
  expect(await linksOf(other)).toEqual([])
  expect((await end(user)).status).toBe(204)
  expect(await refusal(await open(link))).toEqual(ended)
  const again = { headers: { 'if-none-match': seen.headers.get('etag') ?? '' } }
  expect(await refusal(await app.request(view.result.url, again))).toEqual(ended)
  expect((await app.request(link.path, { headers: { accept: 'text/html' } })).status).toBe(404)
  expect(await linksOf(user)).toEqual([])
})

test('deleting the result or the account, and disabling the account, end its links', async () => {
  const { user, id } = await withResult()
  const link = await share(user, id)
  await user.request(`/api/generations/${id}`, { method: 'DELETE' })
  expect(await refusal(await open(link))).toEqual(ended)
  expect(await linksOf(user)).toEqual([])

  const shut = await withResult()
  const shutLink = await share(shut.user, shut.id)
  const disabledAt = app.clock.now()
  await app.deps.db.update(users).set({ disabledAt }).where(eq(users.id, shut.user.id))
  expect(await refusal(await open(shutLink))).toEqual(ended)

  const gone = await withResult()
  const goneLink = await share(gone.user, gone.id)
  const { password } = gone.user
  const response = await gone.user.request('/api/user/delete', { json: { password } })
  expect(response.ok).toBe(true)
  expect(await refusal(await open(goneLink))).toEqual(ended)
  expect(await app.deps.db.select().from(sharedResults).where(eq(sharedResults.userId, gone.user.id))).toEqual([])
})

test('a link with a password requires it, and guesses are limited', async () => {
  const { user, id } = await withResult()
  const link = await share(user, id, { password: 'kunci-rahasia' })
  expect(link.hasPassword).toBe(true)
  expect(await refusal(await open(link))).toEqual([403, 'shared_result.password_due'])
  const bare = `/api/shared_results/${tokenOf(link)}`
  for (const picture of ['result', 'preview', 'result?expires=9999999999&signature=x']) {
    expect(await refusal(await app.request(`${bare}/${picture}`))).toEqual([403, 'shared_result.password_due'])
  }
  const { result } = await shown(await open(link, 'kunci-rahasia'))
  expect((await app.request(result.url)).status).toBe(200)
  app.clock.advance({ minutes: 61 })
  expect(await refusal(await app.request(result.url))).toEqual([403, 'shared_result.password_due'])

  const wrong = [422, 'shared_result.wrong_password']
  for (let guess = 0; guess < 10; guess++) expect(await refusal(await open(link, `tebakan-${guess}`))).toEqual(wrong)
  // Even the right password has to wait, but not from another address.
  expect(await refusal(await open(link, 'kunci-rahasia'))).toEqual([429, 'request.rate_limited'])
  expect((await open(link, 'kunci-rahasia', '198.51.100.4')).status).toBe(200)
})

describe('guesses at the password of a link', () => {
  const limited = [429, 'request.rate_limited']
  const wrong = [422, 'shared_result.wrong_password']
  const locked = async () => {
    const { user, id } = await withResult()
    return await share(user, id, { password: 'kunci-rahasia' })
  }

  const raise = (rule: string, hits: number) => countHits(app.deps.db, `shared-guess:${rule}`, hits)

  test.each([
    ['IPv4', (host: number) => `198.51.100.${host}`],
    ['IPv6', (host: number) => `2001:db8:7:${host}::1`],
  ])('from one network of %s lock it for that network alone', async (_, from) => {
    const link = await locked()
    expect(await refusal(await open(link, 'tebakan', from(1)))).toEqual(wrong)
    await raise('network+link', 18)
    expect(await refusal(await open(link, 'tebakan', from(2)))).toEqual(wrong)
    expect(await refusal(await open(link, 'kunci-rahasia', from(3)))).toEqual(limited)
    expect((await open(link, 'kunci-rahasia', '203.0.113.9')).status).toBe(200)
  })

  test('do not count right passwords', async () => {
    const link = await locked()
    expect(await refusal(await open(link, 'tebakan', '198.51.100.1'))).toEqual(wrong)
    await raise('network+link', 18)
    for (let time = 0; time < 3; time++) expect((await open(link, 'kunci-rahasia', '198.51.100.2')).status).toBe(200)
  })

  test('from many networks leave each only a few, and the right password still opens it', async () => {
    const link = await locked()
    expect(await refusal(await open(link, 'tebakan', '10.0.1.1'))).toEqual(wrong)
    await raise('link-day', 99)
    for (let time = 0; time < 4; time++) expect((await open(link, 'kunci-rahasia', '203.0.113.9')).status).toBe(200)
    for (let guess = 0; guess < 3; guess++)
      expect(await refusal(await open(link, `tebakan-${guess}`, `10.0.2.${guess}`))).toEqual(wrong)
    expect(await refusal(await open(link, 'tebakan', '10.0.2.9'))).toEqual(limited)
    expect((await open(link, 'kunci-rahasia', '192.0.2.1')).status).toBe(200)
  })
})

test('openings are counted: once a day for each address, and none that was refused', async () => {
  const { user, id } = await withResult()
  const link = await share(user, id, { password: 'kunci-rahasia' })
  await open(link, 'salah-sekali')
  await open(link)
  for (const from of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) await open(link, 'kunci-rahasia', from)
  expect(await linksOf(user)).toMatchObject([{ id: link.id, openings: 2, tool: 'background-removal' }])
  app.clock.advance({ hours: 25 })
  await open(link, 'kunci-rahasia', '203.0.113.1')
  const [row] = await app.deps.db.select().from(sharedResults).where(eq(sharedResults.id, link.id))
  expect(row?.openings).toBe(3)
})

test('messengers read a neutral title in the language of the link, and see no picture of a locked one', async () => {
  const { user, id } = await withResult()
  const [plain, locked] = [await share(user, id), await share(user, id, { password: 'kunci-rahasia' })]
  const head = async (path: string, headers = {}) =>
    await (await app.request(path, { headers: { 'user-agent': 'WhatsApp/2.24', ...headers } })).text()
  const page = await head(plain.path)
  expect(page).toContain('<title>Hasil edit dengan Rupa</title>')
  expect(page).toContain('<meta name="robots" content="noindex')
  const picture = /property="og:image" content="([^"]+)"/.exec(page)?.[1] as string
  expect(page).toContain('property="og:image:width" content="1200"')
  const drawn = engine.tasks.length
  for (let time = 0; time < 2; time++) {
    const sent = await app.request(new URL(picture).pathname)
    expect(await sent.text()).toContain('output of')
    expect(sent.headers.get('x-robots-tag')).toContain('noindex')
  }
  expect(engine.tasks.slice(drawn)).toMatchObject([{ tool: 'link-picture', inputs: { after: [{}], before: [] } }])
  const beside = await share(user, id, { withOriginal: true })
  await app.request(`/api/shared_results/${tokenOf(beside)}/preview`)
  expect(engine.tasks.at(-1)).toMatchObject({ inputs: { after: [{}], before: [{}] } })
  expect(await head(`${plain.path}?lang=en`)).toMatch(/<html lang="en".*<title>Edited with Rupa<\/title>/)
  expect(await head(plain.path, { 'accept-language': 'en' })).toContain('Edited with Rupa')
  const hidden = await head(locked.path)
  expect(hidden).toContain('<title>Hasil edit yang dikunci</title>')
  expect(hidden).toMatch(/property="og:image" content="[^"]+\/icons\/icon-512\.png"/)
  expect(hidden).not.toContain('/api/')
})

test('a link to a later output is listed with that output’s picture, also behind a password', async () => {
  engine.behave(async (task, options) => {
    const made = await succeed(task, options)
    return { ...made, outputs: [...made.outputs, ...made.outputs] }
  })
  const { user, id } = await withResult()
  engine.behave(succeed)
  const first = await share(user, id)
  expect(first.thumbnailUrl).toMatch(/^\/api\/files\//)
  for (const password of [null, 'pantai-biru']) {
    const { thumbnailUrl } = await share(user, id, { position: 1, password })
    expect(thumbnailUrl).toContain('/preview')
    expect((await app.request(thumbnailUrl ?? '')).status).toBe(200)
  }
})

test('only own results with a picture can be shared, and no token can be made up', async () => {
  const { user, id } = await withResult()
  const other = await app.createUser()
  const json = { generationId: id, position: 0, days: 7, withOriginal: false, password: null }
  const tried = async (person: TestUser, change: object) =>
    await refusal(await person.request('/api/user/shared_results', { json: { ...json, ...change } }))
  expect(await tried(other, {})).toEqual([404, 'generation.not_found'])
  expect(await tried(user, { position: 1 })).toEqual([409, 'shared_result.not_possible'])
  expect(await tried(user, { password: 'pende' })).toEqual([422, 'form.invalid'])
  const link = await share(user, id)
  const [token, stranger] = [tokenOf(link), tokenOf(await share(user, id))]
  const forged = [token.slice(0, 22) + stranger.slice(22), `${token.slice(0, 43)}-`, `${token}x`, 'abc', '%00', link.id]
  for (const made of forged) {
    const response = await app.request(`/api/shared_results/${made}/open`, { json: { password: null } })
    expect(await refusal(response)).toEqual(ended)
  }
  expect(JSON.stringify(app.logged)).not.toContain(token)
})
