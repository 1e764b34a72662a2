import { and, eq, ne } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminUserDetail, AdminUserView, UserSummary } from '#features/account/admin/schemas.ts'
import { users } from '#server/auth/table.ts'
import type { Page } from '#shared/paging.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
let admin: TestUser
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.createUser({ name: 'Ibu Admin', role: 'admin' })
})
afterAll(() => app.stop())

const list = async (query: string, by = admin) =>
  (await (await by.request(`/api/admin/users?${query}`)).json()) as Page<AdminUserView>
const change = (id: string, json: object, by = admin) =>
  by.request(`/api/admin/users/${id}`, { method: 'PATCH', json: { reason: 'agreed', ...json } })
const code = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code]

test('admins find accounts by any part of their name or address, page by page, with only the necessary fields', async () => {
  const people = []
  for (const name of ['Wulan 100%', 'Wulandari', 'Wahyu']) {
    // No address may begin with the search text.
    people.push(await app.createUser({ name, email: `x${crypto.randomUUID().slice(0, 7)}@contoh.id` }))
  }
  expect((await list('search=wulan')).items.map(({ name }) => name)).toEqual(['Wulandari', 'Wulan 100%'])
  expect((await list(`search=${encodeURIComponent('100%')}`)).items.map(({ name }) => name)).toEqual(['Wulan 100%'])
  expect((await list(`search=${encodeURIComponent(people[2]!.email.toUpperCase())}`)).items).toHaveLength(1)
  const found = async (search: string) =>
    (await list(`search=${encodeURIComponent(search)}`)).items.map(({ name }) => name)
  expect(await found('ULANDA')).toEqual(['Wulandari'])
  expect(await found('lan ari')).toEqual(['Wulandari'])
  const [, domain = ''] = people[2]!.email.split('@')
  expect(await found(`${people[2]!.email.slice(3, -domain.length + 2)} ahyu`)).toEqual(['Wahyu'])
  // Two letters are too few for a search inside words.
  expect(await found('hy wul')).toEqual([])
  expect(await found('10 wu')).toEqual(['Wulan 100%'])
  expect(await found('wul_n')).toEqual([])
  expect(await found('100*%')).toEqual([])
  const first = await list('limit=2')
  const second = await list(`limit=2&cursor=${first.nextCursor}`)
  expect([...first.items, ...second.items].map(({ name }) => name).slice(0, 3)).toEqual([
    'Wahyu',
    'Wulandari',
    'Wulan 100%',
  ])
  expect(Object.keys(first.items[0] ?? {}).sort()).toEqual([
    'createdAt',
    'credits',
    'disabled',
    'duty',
    'email',
    'id',
    'name',
    'role',
    'tags',
    'verified',
  ])
  expect((await admin.request('/api/admin/users?limit=0')).status).toBe(422)
  expect((await people[0]!.request('/api/admin/users')).status).toBe(403)
})

test('the list is sorted and filtered by its query, page by page, and saved as a file', async () => {
  const people = []
  for (const name of ['Ordo Citra', 'Ordo Anis', 'Ordo Budi']) people.push(await app.createUser({ name }))
  await change(people[0]!.id, { disabled: true })
  const names = async (query: string) => {
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page<AdminUserView> = await list(`search=ordo&limit=1&${query}${cursor && `&cursor=${cursor}`}`)
      found.push(...page.items.map(({ name }) => name.slice(5)))
      cursor = page.nextCursor
    }
    return found
  }
  expect(await names('sort=name')).toEqual(['Anis', 'Budi', 'Citra'])
  expect(await names('sort=oldest')).toEqual(['Citra', 'Anis', 'Budi'])
  expect(await names('')).toEqual(['Budi', 'Anis', 'Citra'])
  expect(await names('status=disabled')).toEqual(['Citra'])
  expect((await names('status=active')).length).toBe(2)
  expect((await admin.request('/api/admin/users?sort=size')).status).toBe(422)

  await app.createUser({ name: '=cmd|"Ordo"' })
  const headers = { accept: 'text/csv' }
  const response = await admin.request('/api/admin/users?search=ordo&sort=oldest', { headers })
  expect(response.headers.get('content-type')).toContain('text/csv')
  const lines = (await response.text()).split('\r\n')
  expect(lines[0]).toContain('"id","name","email"')
  const written = lines.slice(1, -1).map((line) => line.split(',')[1])
  expect(written).toEqual(['"Ordo Citra"', '"Ordo Anis"', '"Ordo Budi"', `"'=cmd|""Ordo"""`])
  expect((await people[1]!.request('/api/admin/users', { headers })).status).toBe(403)
})

test('a user’s summary has counts and no pictures', async () => {
  const person = await app.createUser()
  const read = (by = admin) => by.request(`/api/admin/users/${person.id}/summary`)
  const summary = (await (await read()).json()) as UserSummary
  expect(summary).toMatchObject({ credits: app.config.welcomeCredits, generations: 0, paidOrders: 0, paidIdr: 0 })
  expect(summary.sessions).toHaveLength(1)
  expect((await read(person)).status).toBe(403)
  expect((await admin.request('/api/admin/users/x/summary')).status).toBe(404)
})

test('a change requires a reason and an existing user, and admins cannot give roles to themselves', async () => {
  const person = await app.createUser()
  expect((await change(person.id, { role: 'designer', reason: ' ' })).status).toBe(422)
  expect((await change(person.id, { role: 'owner' })).status).toBe(422)
  expect(await code(await change('00000000-0000-4000-8000-000000000000', { role: 'user' }))).toEqual([
    404,
    'account.not_found',
  ])
  expect(await code(await change('x', { role: 'user' }))).toEqual([404, 'account.not_found'])
  expect((await change(person.id, { role: 'admin' }, person)).status).toBe(403)
  const { changes } = (await (await admin.request(`/api/admin/users/${person.id}`)).json()) as AdminUserDetail
  expect(changes).toEqual([])
})

test('a deleted account can be neither found nor changed', async () => {
  const person = await app.createUser()
  await change(person.id, { role: 'designer' })
  const token = await app.signIn(person.email, person.password)
  await app.request('/api/user/delete', { token, json: { password: person.password } })
  expect(await code(await change(person.id, { disabled: false }))).toEqual([404, 'account.not_found'])
  expect((await list(`search=${encodeURIComponent(person.email)}`)).items).toEqual([])
})

test('there is always an admin, also when two of them remove each other at once', async () => {
  const other = await app.createUser({ role: 'admin' })
  await app.deps.db
    .update(users)
    .set({ role: 'user' })
    .where(and(eq(users.role, 'admin'), ne(users.id, admin.id), ne(users.id, other.id)))
  const responses = await Promise.all([
    change(other.id, { disabled: true }, admin),
    change(admin.id, { role: 'user' }, other),
  ])
  const statuses = responses.map(({ status }) => status).sort()
  expect([
    [200, 401],
    [200, 409],
  ]).toContainEqual(statuses)
  const left = await app.deps.db.select().from(users).where(eq(users.role, 'admin'))
  const [last, ...more] = left.filter(({ disabledAt }) => disabledAt === null)
  expect(more).toEqual([])
  const by = last?.id === admin.id ? admin : other
  expect(await code(await change(by.id, { role: 'user' }, by))).toEqual([409, 'account.last_admin'])
  expect(await code(await change(by.id, { disabled: true }, by))).toEqual([409, 'account.last_admin'])
})
