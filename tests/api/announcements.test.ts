import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MailPreview } from '#features/admin/schemas.ts'
import type { Announcement, StaffAnnouncement } from '#features/announcements/schemas.ts'
import { auditLog } from '#server/audit/table.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

const text = { id: 'Besok server dirawat', en: 'Maintenance tomorrow' }
const after = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString()
const told = async () => {
  const { items } = (await (await app.request('/api/announcements')).json()) as { items: Announcement[] }
  return items
}

test('all users get an announcement from a day before its time until it ends, in both languages', async () => {
  const admin = await app.createUser({ role: 'admin' })
  const json = { text, path: '/pricing', startsAt: after(30), endsAt: after(32) }
  const made = await admin.request('/api/admin/announcements', { json })
  expect(made.status).toBe(201)
  const { id, version } = (await made.json()) as StaffAnnouncement
  expect(await told()).toEqual([])
  app.clock.advance({ hours: 7 })
  expect(await told()).toEqual([{ id, ...json }])
  app.clock.advance({ hours: 26 })
  expect(await told()).toEqual([])

  const other = await app.createUser({ role: 'admin' })
  const path = `/api/admin/announcements/${id}`
  const longer = { ...json, endsAt: null, version }
  expect((await other.request(path, { method: 'PUT', json: longer })).status).toBe(200)
  expect((await told()).map((each) => each.id)).toEqual([id])
  expect((await other.request(path, { method: 'PUT', json: longer })).status).toBe(409)
  const entries = await app.deps.db.select().from(auditLog)
  expect(entries.map(({ actorId, action }) => [actorId, action])).toEqual([
    [admin.id, 'announcement.created'],
    [other.id, 'announcement.changed'],
  ])
})

test('an announcement needs its text in both languages, an end after its start, and a page of the app', async () => {
  const admin = await app.createUser({ role: 'admin' })
  const right = { text, path: null, startsAt: after(0), endsAt: after(1) }
  const refused = async (wrong: object) => {
    const response = await admin.request('/api/admin/announcements', { json: { ...right, ...wrong } })
    expect(response.status).toBe(422)
    return Object.keys(((await response.json()) as { details: object }).details)
  }
  expect(await refused({ text: { id: 'Halo', en: ' ' } })).toEqual(['text.en'])
  expect(await refused({ endsAt: right.startsAt })).toEqual(['endsAt'])
  const others = ['/%2f/example.com', '/%252f/example.com', '/.//example.com', '/%0a', `/${'a'.repeat(200)}`]
  for (const path of ['https://example.com', '//example.com', '/\\example.com', 'pricing', '', ...others]) {
    expect(await refused({ path })).toEqual(['path'])
  }
  const missing = '/api/admin/announcements/0198aaaa-0000-7000-8000-000000000000'
  expect((await admin.request(missing, { method: 'PUT', json: right })).status).toBe(404)
})

test('staff read every mail in both languages without open placeholders, and receive a test mail', async () => {
  const admin = await app.createUser({ role: 'admin' })
  const path = '/api/admin/mail_templates'
  const { items } = (await (await admin.request(`${path}?language=id`)).json()) as { items: { template: string }[] }
  expect(items.length).toBeGreaterThan(30)
  for (const { template } of items) {
    for (const language of ['id', 'en']) {
      const response = await admin.request(`${path}/${template}?language=${language}`)
      const { subject, text: body } = (await response.json()) as { subject: string; text: string }
      expect(`${subject} ${body}`, template).not.toMatch(/[{}]|undefined|\bmail\.\w/)
    }
  }
  expect((await admin.request(`${path}/receipt/test`, { json: { language: 'en' } })).status).toBe(204)
  expect((await app.mailTo(admin.email)).text).toContain('R-000123')
  expect((await admin.request(`${path}/nothing?language=id`)).status).toBe(404)
  expect((await admin.request(`${path}/receipt?language=fr`)).status).toBe(422)
})

test('staff edit a mail in a language, with its values, and can restore the default text', async () => {
  const admin = await app.createUser({ role: 'admin' })
  const path = '/api/admin/mail_templates/verify_email'
  const read = async () => (await (await admin.request(`${path}?language=id`)).json()) as MailPreview
  const set = async (texts: object | null, version: number) => {
    const response = await admin.request(path, { method: 'PUT', json: { language: 'id', texts, version } })
    const { details } = (response.status === 204 ? {} : await response.json()) as { details?: object }
    return [response.status, ...Object.keys(details ?? {})]
  }
  const { texts: own, needed, htmlUrl } = await read()
  expect([own.text.includes('{code}'), needed]).toEqual([true, ['code', 'minutes']])
  const texts = { subject: 'Kode {brand}', text: 'Kode <b>{code}</b> untuk {minutes} menit', action: 'Lanjut' }
  for (const text of ['Tanpa kode', 'Kode {code} {minutes} {password}', '{code} {minutes} {', ' ']) {
    expect(await set({ ...texts, text }, 0)).toEqual([422, 'texts.text'])
  }
  expect(await set({ ...texts, subject: 'Dua\nbaris' }, 0)).toEqual([422, 'texts.subject'])
  expect(await set(texts, 0)).toEqual([204])
  expect((await set(texts, 0))[0]).toBe(409)
  expect(await read()).toMatchObject({ isOwn: false, version: 1, subject: 'Kode Rupa - Rupa' })

  const { email } = await app.register()
  const mail = await app.mailTo(email)
  expect([mail.subject, /Kode <b>\d{6}<\/b> untuk/.test(mail.text), mail.link]).toEqual([
    ...['Kode Rupa - Rupa', true, expect.stringContaining('/api/verify_email/')],
  ])
  expect(mail.html).toContain('Kode &lt;b&gt;')
  const page = await app.request(htmlUrl)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Kode &lt;b&gt;123456')])
  expect(page.headers.get('content-security-policy')).toContain('sandbox')
  expect((await app.request(htmlUrl.replace('verify_email', 'receipt'))).status).toBe(403)

  expect(await set(null, 1)).toEqual([204])
  expect(await read()).toMatchObject({ isOwn: true, texts: own })
  const entries = await app.deps.db.select().from(auditLog).where(eq(auditLog.action, 'mail_texts.changed'))
  expect(entries.map(({ actorId, subjectId, after }) => [actorId, subjectId, after])).toEqual([
    [admin.id, 'verify_email:id', texts],
    [admin.id, 'verify_email:id', null],
  ])
})
