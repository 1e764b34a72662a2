import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditEntryView } from '#features/audit/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { toolSettings } from '#features/generations/server/table.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import type { ToolView } from '#tools/contract/schemas.ts'
import { creditsOf, makePicture, reached, refusal, stopOpenGenerations, submit, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { testTools } from '../support/test-tools.ts'

let app: TestApp
let user: TestUser
let admin: TestUser

beforeAll(async () => {
  app = await createTestApp({ tools: testTools })
  admin = await app.createUser({ role: 'admin' })
})
afterAll(async () => {
  await app.stop()
})
beforeEach(async () => {
  user = await app.createUser()
})
afterEach(async () => {
  await stopOpenGenerations(app)
  await app.deps.db.delete(toolSettings)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const set = (json: object, tool = 'montage', who = admin) =>
  who.request(`/api/admin/tools/${tool}`, { method: 'PATCH', json })
const montage = async () => ({
  tool: 'montage',
  image: await makePicture('#102030'),
  files: { back: await makePicture('#203040') },
})

test('the list of tools, loaded by every tool’s page, can be requested without their schemas', async () => {
  const listed = async (query: string) =>
    ((await (await app.request(`/api/tools${query}`)).json()) as { items: ToolView[] }).items
  const all = await listed('')
  expect(all.every(({ paramsSchema }) => paramsSchema !== undefined)).toBe(true)
  const brief = await listed('?schemas=none')
  expect(brief).toEqual(all.map(({ paramsSchema, ...tool }) => tool))
  expect((await app.request('/api/tools?schemas=some')).status).toBe(422)
})

test('the list of tools travels compressed', async () => {
  const answer = await app.request('/api/tools', { headers: { 'accept-encoding': 'gzip, br' } })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  const plain = new Response(answer.body?.pipeThrough(new DecompressionStream('gzip')))
  expect(await plain.json()).toEqual(await (await app.request('/api/tools')).json())
})

test('options from a link are validated like those of a generation, for visitors too', async () => {
  const read = async (options: unknown, tool = 'montage') => {
    const answer = await app.request(`/api/tools/${tool}/params`, { method: 'POST', json: options })
    return [answer.status, await answer.json()]
  }
  expect(await read({ tint: 7 })).toEqual([200, { masked: false, tint: 7 }])
  expect(await read({ tint: 256 })).toEqual([422, expect.objectContaining({ code: 'params.invalid' })])
  expect(await read({ script: 1 })).toEqual([422, expect.objectContaining({ code: 'params.invalid' })])
  expect((await read([1]))[0]).toBe(422)
  expect((await read({}, 'unknown'))[0]).toBe(404)
})

test('the visible label that admins require is on the pictures of any tool, and again when they are rendered', async () => {
  const corners = async ({ outputs: [joined] }: GenerationView) => {
    const bytes = new Uint8Array(await (await app.request(joined?.url as string)).arrayBuffer())
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => [...data.subarray(3 * (y * info.width + x), 3 * (y * info.width + x) + 3)]
    return { upper: at(0, 0), label: at(info.width - 8, info.height - 8) }
  }
  const again = async (id: string, tint: number) => {
    const response = await user.request(`/api/generations/${id}/render`, { json: { params: { tint } } })
    expect(response.status).toBe(200)
    return corners((await response.json()) as GenerationView)
  }
  const large = async () => ({ ...(await montage()), image: await makePicture('#808080', 160, 120) })
  const { id } = await submitted(user, await large())
  const plain = await corners(await reached(user, id, 'succeeded'))
  expect(plain.label).toEqual(plain.upper)

  expect((await set({ markRequired: true })).status).toBe(200)
  const { items } = (await (await app.request('/api/tools')).json()) as { items: ToolView[] }
  expect(items.find((tool) => tool.id === 'montage')?.markRequired).toBe(true)
  for (const shown of [
    await corners(await reached(user, (await submitted(user, await large())).id, 'succeeded')),
    await again(id, 1),
  ]) {
    expect(shown.label).not.toEqual(shown.upper)
  }
  await set({ markRequired: false })
  const removed = await again(id, 2)
  expect(removed.label).toEqual(removed.upper)
})

describe('a tool switched off by admins', () => {
  test('is shown with their message, accepts no generation and charges nothing, until it is on again', async () => {
    expect((await set({ enabled: false, message: 'Kembali besok pagi.', messageEn: 'Back tomorrow.' })).status).toBe(
      200,
    )
    const toolOf = async () => {
      const { items } = (await (await app.request('/api/tools')).json()) as { items: ToolView[] }
      return items.find(({ id }) => id === 'montage')
    }
    expect(await toolOf()).toMatchObject({
      enabled: false,
      message: { id: 'Kembali besok pagi.', en: 'Back tomorrow.' },
    })
    const answer = await submit(user, await montage())
    expect(await answer.clone().json()).toMatchObject({
      details: { message: 'Kembali besok pagi.', messageEn: 'Back tomorrow.' },
    })
    expect(await refusal(answer)).toEqual([409, 'tool.disabled'])
    expect(await creditsOf(user)).toBe(25)
    await set({ enabled: true })
    expect(await toolOf()).toMatchObject({ enabled: true, message: null })
    await reached(user, (await submitted(user, await montage())).id, 'succeeded')
  })

  test('is recorded with the admin and the values before and after', async () => {
    await set({ enabled: false })
    const query = 'subjectKind=tool&subjectId=montage'
    const { items } = (await (await admin.request(`/api/admin/audit?${query}`)).json()) as { items: AuditEntryView[] }
    expect(items[0]).toMatchObject({
      actorId: admin.id,
      action: 'tool.settings_changed',
      before: { enabled: true },
      after: { enabled: false },
    })
  })

  test.each([
    ['by a user who is not an admin', { enabled: false }, 'montage', 403, 'auth.forbidden'],
    ['of an unknown name', { enabled: false }, 'teleport', 404, 'tool.unknown'],
    ['with something that is no setting', { price: 0 }, 'montage', 422, 'form.invalid'],
  ])('%s is refused', async (_name, json, tool, status, code) => {
    const who = status === 403 ? user : admin
    expect(await refusal(await set(json, tool, who))).toEqual([status, code])
  })
})
