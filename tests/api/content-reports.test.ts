import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountLimitView, LimitList, MisuseCounts, ReportedResult } from '#features/content-reports/schemas.ts'
import { contentReports } from '#features/content-reports/server/table.ts'
import type { SharedLink } from '#features/shared-results/schemas.ts'
import { auditLog } from '#server/audit/table.ts'
import { transact } from '#server/db/transact.ts'
import { recordRefusal, requireUnlimited } from '#server/moderation/account-limit.ts'
import { contentRefusals } from '#server/moderation/table.ts'
import { createFakeEngine } from '#tests/support/fake-engine.ts'
import { creditsOf, makePicture, reached, refusal, submit, submitted } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { upload } from '#tests/support/upload.ts'

let app: TestApp
let admin: TestUser
beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine() })
  admin = await app.createUser({ role: 'admin' })
})
afterAll(() => app.stop())

const about = { category: 'without_consent', note: 'Ini wajahku' }
let lastNetwork = 0
const newAddress = () => `198.51.${++lastNetwork}.7`

async function withLink() {
  const user = await app.createUser()
  const { id } = await submitted(user)
  await reached(user, id, 'succeeded')
  const response = await share(user, id)
  const { path } = (await response.json()) as SharedLink
  return { user, id, token: path.split('/').at(-1) as string }
}
const share = (user: TestUser, generationId: string) => {
  const json = { generationId, position: 0, days: 7, withOriginal: false, password: null }
  return user.request('/api/user/shared_results', { json })
}
const report = (token: string, from = newAddress(), json: object = about) =>
  app.request(`/api/shared_results/${token}/reports`, { json, from })
const listed = async (status = 'waiting') => {
  const response = await admin.request(`/api/admin/content_reports?status=${status}&limit=50`)
  return ((await response.json()) as { items: ReportedResult[] }).items
}
const reportOf = async (id: string, status?: string) => (await listed(status)).find((one) => one.id === id)
const decide = (id: string, json: object, by = admin) => by.request(`/api/admin/content_reports/${id}`, { json })
const open = (token: string) =>
  app.request(`/api/shared_results/${token}/open`, { json: { password: null }, from: newAddress() })
const auditOf = (subjectId: string) => app.deps.db.select().from(auditLog).where(eq(auditLog.subjectId, subjectId))
const limits = async () =>
  ((await (await admin.request('/api/admin/account_limits')).json()) as LimitList).items as AccountLimitView[]

test('a guest reports a shared link once a day from each network, and is not named', async () => {
  const { user, id, token } = await withLink()
  const from = newAddress()
  expect((await report(token, from)).status).toBe(204)
  expect((await report(token, from)).status).toBe(204)
  expect((await report(token)).status).toBe(204)
  const found = await reportOf(id)
  expect(found).toMatchObject({ reportCount: 2, links: 1, hasPicture: true, refusals: 0, limitedUntil: null })
  expect(found?.user.id).toBe(user.id)
  expect(found?.reports[0]).toMatchObject({ ...about, guest: true, own: false })
  expect(JSON.stringify(await app.deps.db.select().from(contentReports))).not.toContain(from)
  expect(await refusal(await report('x'.repeat(44)))).toEqual([404, 'shared_result.not_found'])
})

test('an address that reports a lot is refused', async () => {
  const { token } = await withLink()
  const from = newAddress()
  const statuses = []
  for (let count = 0; count < 11; count += 1) statuses.push((await report(token, from)).status)
  expect(statuses).toEqual([...Array(10).fill(204), 429])
})

test('the picture opens only for a reason, which the audit log has', async () => {
  const { id, token } = await withLink()
  await report(token)
  const path = `/api/admin/content_reports/${id}/picture`
  expect((await admin.request(path, { json: { position: 0, reason: ' ' } })).status).toBe(422)
  const picture = await admin.request(path, { json: { position: 0, reason: 'Laporan wajah' } })
  expect(picture.headers.get('content-type')).toContain('image/')
  expect(await picture.text()).toContain('output of')
  expect(await auditOf(id)).toMatchObject([
    { action: 'content_report.picture_opened', actorId: admin.id, reason: 'Laporan wajah' },
  ])
  const other = await withLink()
  const unreported = `/api/admin/content_reports/${other.id}/picture`
  expect(await refusal(await admin.request(unreported, { json: { position: 0, reason: 'Ingin tahu' } }))).toEqual([
    404,
    'file.not_found',
  ])
})

describe('a decision', () => {
  test('to keep leaves the link, tells the reporter, and a new report makes it wait again', async () => {
    const { user, id, token } = await withLink()
    const reporter = await app.createUser()
    expect((await reporter.request('/api/user/reports', { json: { ...about, token } })).status).toBe(204)
    expect((await decide(id, { decision: 'kept', reason: 'Tidak melanggar' })).status).toBe(204)
    expect((await open(token)).status).toBe(200)
    expect((await app.mailTo(reporter.email, /Tentang gambar/)).text).toContain('Tidak melanggar')
    expect(app.mails.filter(({ to }) => to === user.email)).toEqual([])
    expect((await reportOf(id, 'kept'))?.answer).toBe('Tidak melanggar')
    expect(await refusal(await decide(id, { decision: 'withdrawn', reason: 'Lagi' }))).toEqual([
      409,
      'content_report.final',
    ])
    await report(token)
    expect(await reportOf(id)).toMatchObject({ status: 'waiting', reportCount: 2, answer: null })
  })

  test('to withdraw ends the links for good, and tells owner and reporter', async () => {
    const { user, id, token } = await withLink()
    const reporter = await app.createUser()
    await reporter.request('/api/user/reports', { json: { ...about, token } })
    await decide(id, { decision: 'withdrawn', reason: 'Wajah orang lain' })
    expect((await open(token)).status).toBe(404)
    expect(await refusal(await share(user, id))).toEqual([409, 'shared_result.withdrawn'])
    expect((await app.mailTo(user.email, /kami cabut/)).text).toContain('Wajah orang lain')
    expect((await app.mailTo(reporter.email, /kami tindak/)).text).not.toContain('Wajah orang lain')
    expect(await auditOf(id)).toMatchObject([
      { action: 'content_report.decided', reason: 'Wajah orang lain', after: { decision: 'withdrawn', links: 1 } },
    ])
  })

  test('to limit stops new edits and links until it ends by itself or by staff', async () => {
    const { user, id, token } = await withLink()
    const other = await submitted(user)
    await reached(user, other.id, 'succeeded')
    await report(token)
    await decide(id, { decision: 'limited', reason: 'Berulang', days: 1 })
    expect((await app.mailTo(user.email, /batasi/)).text).toContain('Berulang')
    expect(await refusal(await submit(user))).toEqual([403, 'account.limited'])
    expect(await refusal(await share(user, other.id))).toEqual([403, 'account.limited'])
    expect((await user.request('/api/generations')).status).toBe(200)

    const [limit] = (await limits()).filter((one) => one.user.id === user.id)
    expect(limit).toMatchObject({ reason: 'Berulang', by: admin.name })
    const ended = await admin.request(`/api/admin/account_limits/${limit?.id}/end`, { json: { reason: 'Keliru' } })
    expect(ended.status).toBe(204)
    await submitted(user)
    expect((await auditOf(user.id)).map(({ action }) => action)).toEqual(['account.limited', 'account.limit_ended'])
  })

  test('about an own picture is left to other staff', async () => {
    const { id } = await submitted(admin)
    await reached(admin, id, 'succeeded')
    await admin.request('/api/user/reports', { json: { ...about, generationId: id, position: 0 } })
    expect(await refusal(await decide(id, { decision: 'kept', reason: 'Milikku' }))).toEqual([409, 'account.own'])
  })
})

test('a user reports an own result, and no result of others', async () => {
  const { user, id } = await withLink()
  const json = { category: 'sexual', note: '', generationId: id, position: 0 }
  const stranger = await app.createUser()
  expect(await refusal(await stranger.request('/api/user/reports', { json }))).toEqual([404, 'generation.not_found'])
  expect((await user.request('/api/user/reports', { json })).status).toBe(204)
  expect((await reportOf(id))?.reports).toMatchObject([{ own: true, guest: false }])
})

test('different refused contents limit an account once, a repeated one never, and the limit ends by itself', async () => {
  const user = await app.createUser()
  const refuse = (content: string) =>
    transact(app.deps.db, (tx) =>
      recordRefusal(tx, app.deps, { userId: user.id, tool: 'swap-face', kind: 'picture', content }),
    )
  for (const content of ['a', 'b', 'c', 'd', 'd', 'd']) await refuse(content)
  await submitted(user)
  await Promise.all(['e', 'f'].map(refuse))
  const own = (await limits()).filter((one) => one.user.id === user.id)
  expect(own).toMatchObject([{ reason: null, by: null }])
  expect((await app.mailTo(user.email)).subject).toContain('batasi')
  expect(await refusal(await submit(user))).toEqual([403, 'account.limited'])
  const counts = (await (await admin.request('/api/admin/content_reports/counts')).json()) as MisuseCounts
  expect(counts.refusals).toEqual([{ tool: 'swap-face', kind: 'picture', count: 6 }])
  expect(counts.limitedAccounts).toBe(1)

  const isLimited = () =>
    requireUnlimited(app.deps.db, user.id, app.clock.now()).then(
      () => false,
      () => true,
    )
  await admin.request(`/api/admin/account_limits/${own[0]?.id}/end`, { json: { reason: 'Keliru' } })
  await refuse('a')
  expect(await isLimited()).toBe(false)
  await refuse('g')
  expect(await isLimited()).toBe(true)
  app.clock.advance({ hours: 25 })
  expect(await isLimited()).toBe(false)
})

describe('forbidden words', () => {
  const prompt = 'perempuan telanjang di pantai'
  const background = (user: TestUser, params: object) => submit(user, { tool: 'background-diffusion', params })

  test('in a prompt are refused before the charge, by the free check too, and counted once', async () => {
    const user = await app.createUser()
    const before = await creditsOf(user)
    const picture = [{ upload: (await upload(user, await makePicture())).id }]
    const json = { params: { prompt }, inputs: { picture } }
    const check = await user.request('/api/tools/background-diffusion/check', { json })
    const { problems } = (await check.json()) as { problems: { path: string; code: string }[] }
    expect(problems).toMatchObject([{ path: 'prompt', code: 'content.words_refused' }])
    expect(await refusal(await background(user, { prompt }))).toEqual([422, 'content.words_refused'])
    expect(await refusal(await background(user, { prompt: `${prompt}, sore hari` }))).toEqual([
      422,
      'content.words_refused',
    ])
    expect(await creditsOf(user)).toBe(before)
    const counted = eq(contentRefusals.userId, user.id)
    expect(await app.deps.db.select().from(contentRefusals).where(counted)).toMatchObject([
      { tool: 'background-diffusion', kind: 'words' },
    ])
  })

  test('in a custom edit request are refused', async () => {
    const user = await app.createUser()
    const wish = { title: 'Foto', whatsapp: '081234567890', email: 'sari@contoh.test' }
    const send = (description: string) =>
      user.request('/api/custom_edits', {
        json: { ...wish, description },
        headers: { 'idempotency-key': randomUUID() },
      })
    expect(await refusal(await send('Hilangkan bajunya'))).toEqual([422, 'content.words_refused'])
    expect((await send('Hilangkan noda di bajunya')).status).toBe(201)
  })
})
