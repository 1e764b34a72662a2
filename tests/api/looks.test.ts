import { readdirSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logoMaxCharacters, maxLooks } from '#features/looks/rules.ts'
import type { LogoView, LookList, LookView } from '#features/looks/schemas.ts'
import { lookContributions } from '#features/looks/server/contributions.ts'
import { looks } from '#features/looks/server/table.ts'
import { transact } from '#server/db/transact.ts'
import { damagedPicture, makePicture } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

const { personalData } = lookContributions
const path = '/api/user/looks'
const keep = (user: TestUser, look: object) => user.request(path, { method: 'PUT', json: look })
const looksOf = async (user: TestUser) => ((await (await user.request(path)).json()) as LookList).items
const catalogue = { tool: 'enhancement', name: 'Katalog', params: { scale: 4 } }

async function kept(user: TestUser, look: object = catalogue): Promise<LookView> {
  const response = await keep(user, look)
  expect(response.status).toBe(200)
  return (await response.json()) as LookView
}

const dataUrl = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`
const png = dataUrl(await makePicture())
const logo = (user: TestUser, picture: unknown) => user.request('/api/user/logo', { method: 'PUT', json: { picture } })
const logoOf = async (user: TestUser) => ((await (await user.request('/api/user/logo')).json()) as LogoView).picture

test('a logo is stored on the account, one at a time, until it is deleted', async () => {
  const user = await app.createUser()
  expect(await logoOf(user)).toBeNull()
  for (const picture of [png, dataUrl(await makePicture('#0040c0'))]) {
    expect((await logo(user, picture)).status).toBe(204)
    expect(await logoOf(user)).toBe(picture)
  }
  for (const wrong of ['data:image/svg+xml;base64,AAAA', 'https://example.com/logo.png', null]) {
    expect((await logo(user, wrong)).status).toBe(422)
  }
  expect((await logo(user, `${png}${'A'.repeat(logoMaxCharacters + 1024)}`)).status).toBe(413)
  expect(await logoOf(await app.createUser())).toBeNull()
  expect((await app.request('/api/user/logo')).status).toBe(401)
  for (let time = 0; time < 2; time += 1) {
    expect((await user.request('/api/user/logo', { method: 'DELETE' })).status).toBe(204)
  }
  expect(await logoOf(user)).toBeNull()
})

test('an undecodable logo is refused, and the previous one stays', async () => {
  const user = await app.createUser()
  expect((await logo(user, png)).status).toBe(204)
  const jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c04020' } })
    .jpeg()
    .toBuffer()
  const whole = Buffer.from(await makePicture())
  for (const [bytes, code] of [
    [Buffer.from('a picture'), 'upload.not_image'],
    [jpeg, 'upload.not_image'],
    [whole.subarray(0, whole.length - 20), 'upload.unreadable'],
    [damagedPicture(), 'upload.unreadable'],
  ] as const) {
    const answer = await logo(user, dataUrl(bytes))
    expect([answer.status, (await answer.json()) as object]).toMatchObject([
      code === 'upload.not_image' ? 415 : 422,
      { code },
    ])
  }
  expect(await logoOf(user)).toBe(png)
  const stored = readdirSync(app.config.dataDir, { recursive: true }).map(String)
  expect(stored.filter((path) => /\blogos\W./.test(path))).toEqual([])
})

test('a logo is stored without personal metadata', async () => {
  const user = await app.createUser()
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#c04020' } })
  const told = await picture
    .withExif({ IFD0: { Artist: 'Sari Rahasia' } })
    .png()
    .toBuffer()
  expect(told.includes('Sari Rahasia')).toBe(true)
  expect((await logo(user, dataUrl(told))).status).toBe(204)
  expect(Buffer.from((await logoOf(user))?.split(',')[1] ?? '', 'base64').includes('Sari')).toBe(false)
})

describe('a look', () => {
  test('is stored on the account, and replaced by another one of its name', async () => {
    const user = await app.createUser()
    const first = await kept(user)
    expect(await looksOf(user)).toEqual([{ id: first.id, ...catalogue }])
    const second = await kept(user, { ...catalogue, name: '  Katalog ', params: { scale: 2 } })
    expect(second.id).toBe(first.id)
    await kept(user, { tool: 'cartoonizer', name: 'Katalog', params: {} })
    expect((await looksOf(user)).map(({ tool, params }) => [tool, params])).toEqual([
      ['cartoonizer', {}],
      ['enhancement', { scale: 2 }],
    ])
  })

  test('stores no option of a single picture, and only options that its tool has', async () => {
    const user = await app.createUser()
    const params = { background: { type: 'color', color: '#ffffff' }, strokes: [] }
    expect((await kept(user, { tool: 'background-removal', name: 'Putih', params })).params).toEqual({
      background: params.background,
    })
    for (const wrong of [
      { ...catalogue, tool: 'nothing' },
      { ...catalogue, params: { scale: 3 } },
      { ...catalogue, params: { glow: 1 } },
      { ...catalogue, name: ' ' },
    ]) {
      expect((await keep(user, wrong)).status).toBe(422)
    }
    expect(await looksOf(user)).toHaveLength(1)
  })

  test('gets another name, but none that is taken for its tool', async () => {
    const user = await app.createUser()
    const { id } = await kept(user)
    await kept(user, { ...catalogue, name: 'Cetak' })
    const rename = (name: string) => user.request(`${path}/${id}`, { method: 'PATCH', json: { name } })
    expect((await rename('Toko')).status).toBe(204)
    const refused = await rename('Cetak')
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ details: { name: 'look.nameTaken' } })
    expect((await looksOf(user)).map(({ name }) => name).sort()).toEqual(['Cetak', 'Toko'])
  })

  test('is deleted once, however often that is requested', async () => {
    const user = await app.createUser()
    const { id } = await kept(user)
    for (let time = 0; time < 2; time += 1) {
      expect((await user.request(`${path}/${id}`, { method: 'DELETE' })).status).toBe(204)
    }
    expect(await looksOf(user)).toEqual([])
    expect((await user.request(`${path}/${id}`, { method: 'PATCH', json: { name: 'Lagi' } })).status).toBe(404)
    expect((await user.request(`${path}/x`, { method: 'DELETE' })).status).toBe(404)
  })

  test('is not accessible to other users', async () => {
    const [owner, other] = [await app.createUser(), await app.createUser()]
    const { id } = await kept(owner)
    expect(await looksOf(other)).toEqual([])
    expect((await other.request(`${path}/${id}`, { method: 'PATCH', json: { name: 'Punyaku' } })).status).toBe(404)
    await other.request(`${path}/${id}`, { method: 'DELETE' })
    expect((await looksOf(owner)).map(({ name }) => name)).toEqual(['Katalog'])
    expect((await app.request(path)).status).toBe(401)
  })

  test('is part of its owner’s archive, and deleted with the account, as a logo is', async () => {
    const user = await app.createUser()
    await kept(user)
    expect((await logo(user, png)).status).toBe(204)
    const names: string[] = []
    for await (const file of personalData.archive(app.deps, { userId: user.id, language: 'id' })) names.push(file.name)
    expect(names).toEqual(['looks.json', 'logo.png'])
    await transact(app.deps.db, (tx) => personalData.erase(tx, { userId: user.id, now: app.clock.now() }))
    expect(await looksOf(user)).toEqual([])
    expect(await logoOf(user)).toBeNull()
  })

  test('is limited in number; existing ones can be changed', async () => {
    const user = await app.createUser()
    const rows = Array.from({ length: maxLooks - 1 }, (_, index) => ({
      id: crypto.randomUUID(),
      userId: user.id,
      tool: 'enhancement',
      name: `${index}`,
      params: {},
      changedAt: app.clock.now(),
    }))
    await app.deps.db.insert(looks).values(rows)
    const answers = await Promise.all([keep(user, catalogue), keep(user, { ...catalogue, name: 'Cetak' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await keep(user, { ...catalogue, name: '0' })).status).toBe(200)
    expect(await looksOf(user)).toHaveLength(maxLooks)
  })
})
