import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { webhookEndpoints } from '#features/webhooks/server/table.ts'
import { readApiDocument } from '#tests/support/api-document.ts'
import { order } from '#tests/support/checkout.ts'
import { refusal } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

interface Listed {
  items: { id: string }[]
  nextCursor: string | null
}

let app: TestApp
let admin: TestUser
let lists: string[]
const endpoint = { url: 'https://toko.contoh', events: [], secret: 'x', createdAt: new Date() }
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.createUser({ role: 'admin' })
  const webhook = randomUUID()
  await app.deps.db.insert(webhookEndpoints).values({ ...endpoint, id: webhook, userId: admin.id })
  const { paths } = await readApiDocument(app.request)
  const hasCursor = (methods: Record<string, unknown>) =>
    (methods.get as { parameters?: { name: string }[] } | undefined)?.parameters?.some(({ name }) => name === 'cursor')
  lists = Object.keys(paths)
    // Lists for programs are the app's own.
    .filter((path) => !path.startsWith('/api/v1/') && hasCursor(paths[path] as Record<string, unknown>))
    .map((path) => path.replace('{id}', path.includes('/webhooks/') ? webhook : admin.id))
})
afterAll(() => app.stop())

const read = async (user: TestUser, path: string) => (await (await user.request(path)).json()) as Listed

const hostile = [
  ...[randomUUID(), 'ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000', 'x', '', ' '],
  ...['0', '-1', '1e400', '9'.repeat(30), '2026-02-30T00:00:00.000Z', "' or 1=1 --", '1; select pg_sleep(9)', '%00'],
  ...['😀', '../../etc/passwd', 'null', '[]', '{}', 'a'.repeat(5000), Buffer.from('[null]').toString('base64url')],
]

test('every list refuses a foreign cursor with the same 422', async () => {
  expect(lists).toContain('/api/admin/claims')
  expect(lists.length).toBeGreaterThanOrEqual(13)
  const wrong: string[] = []
  for (const path of lists) {
    for (const cursor of hostile) {
      const response = await admin.request(`${path}?cursor=${encodeURIComponent(cursor)}`)
      const { code, details } = (await response.json()) as { code: string; details?: Record<string, string> }
      if (response.status !== 422 || code !== 'form.invalid' || !details?.cursor)
        wrong.push(`${path} ${cursor.slice(0, 40)}: ${response.status} ${code}`)
    }
    const twice = await admin.request(`${path}?cursor=x&cursor=y`)
    if (twice.status !== 422) wrong.push(`${path} with two cursors: ${twice.status}`)
    expect((await admin.request(path)).status).toBe(200)
  }
  expect(wrong).toEqual([])
})

test('a cursor of another list, of another order or with a changed value is refused', async () => {
  await app.createUser({ name: 'Ani' })
  await app.createUser({ name: 'Budi' })
  const users = '/api/admin/users'
  const { nextCursor } = await read(admin, `${users}?limit=1`)
  const cursor = nextCursor as string
  expect((await admin.request(`${users}?cursor=${cursor}`)).status).toBe(200)
  for (const path of lists.filter((path) => path !== users))
    expect([path, ...(await refusal(await admin.request(`${path}?cursor=${cursor}`)))]).toEqual([
      ...[path, 422, 'form.invalid'],
    ])
  for (const sort of ['oldest', 'name', 'name_down', 'email', 'credits', 'credits_down'])
    expect(await refusal(await admin.request(`${users}?sort=${sort}&cursor=${cursor}`))).toEqual([422, 'form.invalid'])
  const [name, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, string]
  for (const values of [[], [id, id], [`${id}x`], [{ id }], [null], [7]]) {
    const changed = Buffer.from(JSON.stringify([name, ...values])).toString('base64url')
    expect(await refusal(await admin.request(`${users}?cursor=${changed}`))).toEqual([422, 'form.invalid'])
  }
})

test('the cursor of another account reveals nothing of it', async () => {
  const [owner, other] = [await app.createUser(), await app.createUser()]
  for (const packageId of ['starter', 'basic']) await order(owner, { packageId, method: 'bca' })
  const { nextCursor } = await read(owner, '/api/orders?limit=1')
  expect(nextCursor).toEqual(expect.any(String))
  expect((await read(other, `/api/orders?cursor=${nextCursor}`)).items).toEqual([])
})

test('a list continues after an entry that was deleted meanwhile', async () => {
  const user = await app.createUser()
  const ask = async (title: string) => {
    const json = { title, whatsapp: '081234567890', email: user.email, description: 'Cerahkan' }
    const asked = await user.request('/api/custom_edits', { json, headers: { 'idempotency-key': randomUUID() } })
    return ((await asked.json()) as { id: string }).id
  }
  const [first, second, third] = [await ask('Satu'), await ask('Dua'), await ask('Tiga')]
  const [own, board] = ['/api/custom_edits?limit=2', `/api/admin/custom_edits?limit=2&search=${user.email}`]
  const idsOf = ({ items }: Listed) => items.map(({ id }) => id)
  const [ownPage, boardPage] = [await read(user, own), await read(admin, board)]
  expect([idsOf(ownPage), idsOf(boardPage)]).toEqual([
    [third, second],
    [first, second],
  ])
  expect((await user.request(`/api/custom_edits/${second}/cancel`, { method: 'POST' })).status).toBe(204)
  expect(idsOf(await read(user, `${own}&cursor=${ownPage.nextCursor}`))).toEqual([first])
  expect(idsOf(await read(admin, `${board}&cursor=${boardPage.nextCursor}`))).toEqual([third])
})
