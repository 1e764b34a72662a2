import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntryView } from '#features/audit/schemas.ts'
import { audit } from '#server/audit/audit.ts'
import { auditLog } from '#server/audit/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Page } from '#shared/paging.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
let admin: TestUser
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.createUser({ role: 'admin' })
})
afterAll(() => app.stop())

const read = async (query = '') =>
  (await (await admin.request(`/api/admin/audit?${query}`)).json()) as Page<AuditEntryView>
const changeRole = (id: string, role: string, reason: string) =>
  admin.request(`/api/admin/users/${id}`, { method: 'PATCH', json: { role, reason } })

test('a change of an account is logged with actor, action, values before and after, and reason', async () => {
  const person = await app.createUser()
  await changeRole(person.id, 'designer', 'joins the design team')
  const { items } = await read(`subjectKind=account&subjectId=${person.id}`)
  expect(items).toEqual([
    {
      id: expect.any(Number),
      actorId: admin.id,
      actorName: admin.name,
      action: 'account.status_changed',
      subject: { kind: 'account', id: person.id },
      before: { role: 'user', duty: null, disabled: false },
      after: { role: 'designer', duty: null, disabled: false },
      reason: 'joins the design team',
      createdAt: expect.stringMatching(/Z$/),
    },
  ])
})

test('the log is read page by page, and by actor, action, subject and time', async () => {
  const { db } = app.deps
  const subject = { kind: 'tool', id: 'test-tool' }
  const start = new Date('2027-03-01T00:00:00Z')
  await transact(db, async (tx) => {
    for (let day = 0; day < 5; day += 1) {
      const now = new Date(start.getTime() + day * 86_400_000)
      await audit(tx, { actor: null, action: day % 2 ? 'tool.priced' : 'toolbox.opened', subject, after: day, now })
    }
  })
  const first = await read('subjectKind=tool&limit=3')
  const second = await read(`subjectKind=tool&limit=3&cursor=${first.nextCursor}`)
  expect([...first.items, ...second.items].map(({ after }) => after)).toEqual([4, 3, 2, 1, 0])
  expect(second.nextCursor).toBeNull()
  expect((await read('action=tool')).items.map(({ after }) => after)).toEqual([3, 1])
  expect((await read('action=tool.priced')).items).toHaveLength(2)
  expect((await read(`actor=${admin.id}&subjectKind=tool`)).items).toEqual([])
  const span = `from=${encodeURIComponent('2027-03-02T00:00:00Z')}&to=${encodeURIComponent('2027-03-03T23:59:59Z')}`
  expect((await read(`subjectKind=tool&${span}`)).items.map(({ after }) => after)).toEqual([2, 1])
  for (const wrong of ['actor=x', 'cursor=x', 'limit=0', 'from=yesterday', 'action=%25']) {
    expect((await admin.request(`/api/admin/audit?${wrong}`)).status).toBe(422)
  }
})

test('only admins read it', async () => {
  const designer = await app.createUser({ role: 'designer' })
  expect((await designer.request('/api/admin/audit')).status).toBe(403)
  expect((await app.request('/api/admin/audit')).status).toBe(401)
})

test('an entry is never edited or deleted; when its user leaves, only the reason is removed', async () => {
  const { db } = app.deps
  const person = await app.createUser()
  await changeRole(person.id, 'designer', 'is a friend of Budi')
  const mine = eq(auditLog.subjectId, person.id)
  await expect(db.delete(auditLog).where(mine)).rejects.toThrow()
  await expect(db.update(auditLog).set({ action: 'nothing.happened' }).where(mine)).rejects.toThrow()
  await expect(db.update(auditLog).set({ reason: 'another' }).where(mine)).rejects.toThrow()
  await expect(db.execute(sql`truncate audit_log`)).rejects.toThrow()
  const token = await app.signIn(person.email, person.password)
  const left = await app.request('/api/user/delete', { token, json: { password: person.password } })
  expect(left.status).toBe(204)
  const [entry] = await db.select().from(auditLog).where(mine)
  expect(entry).toMatchObject({
    actorId: admin.id,
    after: { role: 'designer', duty: null, disabled: false },
    reason: null,
  })
})

test('years outside of 1 to 9999 are refused', async () => {
  for (const moment of ['0000-01-01', '-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z']) {
    const response = await admin.request(`/api/admin/audit?from=${encodeURIComponent(moment)}`)
    expect([moment, response.status]).toEqual([moment, 422])
  }
})
