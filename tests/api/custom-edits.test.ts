import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { BoardCounts, BoardEditDetail, BoardEditView, CustomEditView } from '#features/custom-edits/schemas.ts'
import { deleteOldPictures } from '#features/custom-edits/server/contributions.ts'
import { mailOverdueRequests } from '#features/custom-edits/server/notices.ts'
import { rateRequest } from '#features/custom-edits/server/own-edits.ts'
import { customEditFiles } from '#features/custom-edits/server/table.ts'
import { storageLimits } from '#features/uploads/rules.ts'
import { sweepFiles } from '#features/uploads/server/stored-files.ts'
import { storedFiles } from '#features/uploads/server/table.ts'
import { auditLog } from '#server/audit/table.ts'
import { mailOutbox } from '#server/mail/table.ts'
import { createFakeEngine, fail, succeed } from '#tests/support/fake-engine.ts'
import { makePicture, refusal } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { upload } from '#tests/support/upload.ts'

const engine = createFakeEngine()
let app: TestApp
let user: TestUser
let designer: TestUser
let admin: TestUser

beforeAll(async () => {
  app = await createTestApp({ engine })
  designer = await app.createUser({ role: 'designer', name: 'Dinda' })
  admin = await app.createUser({ role: 'admin' })
  user = await app.createUser()
})
afterAll(() => app.stop())

const wish = { title: 'Foto keluarga', whatsapp: '0812 3456 7890', email: 'sari@contoh.test', description: 'Cerahkan' }
const ask = (by: TestUser, json: object = {}, key: string = randomUUID()) =>
  by.request('/api/custom_edits', { json: { ...wish, ...json }, headers: { 'idempotency-key': key } })
const asked = async (by: TestUser, json: object = {}) => (await (await ask(by, json)).json()) as CustomEditView
const mine = async (by: TestUser) =>
  ((await (await by.request('/api/custom_edits')).json()) as { items: CustomEditView[] }).items
const board = async (by: TestUser, query = '') =>
  ((await (await by.request(`/api/admin/custom_edits${query}`)).json()) as { items: BoardEditView[] }).items
const act = (by: TestUser, id: string, verb: string, json: object = {}) =>
  by.request(`/api/admin/custom_edits/${id}/${verb}`, { method: 'POST', json })
const pictureOf = async (by: TestUser, background?: string) => ({
  upload: (await upload(by, await makePicture(background))).id,
})
const actionsOn = async (id: string) =>
  (await app.deps.db.select().from(auditLog).where(eq(auditLog.subjectId, id)).orderBy(auditLog.id)).map(
    ({ action }) => action.split('.')[1],
  )

test('a request goes from the customer to the board, to the mail with a working link, and to the customer’s list', async () => {
  const request = await asked(user, { attachments: [await pictureOf(user), await pictureOf(user, '#204080')] })
  expect(request).toMatchObject({ status: 'new', whatsapp: '+6281234567890', results: [] })
  expect(request.attachments).toHaveLength(2)
  const shown = await app.request(request.attachments[0]?.url ?? '')
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Date.parse(request.dueAt) - Date.parse(request.createdAt)).toBe(4 * 86_400_000)

  const [waiting] = await board(designer)
  expect(waiting).toMatchObject({ id: request.id, designer: null, overdue: false, user: { id: user.id } })
  expect(waiting?.attachments.map(({ url }) => url)).toEqual([null, null])
  expect(await refusal(await act(designer, request.id, 'done'))).toEqual([409, 'custom_edit.not_taken'])
  expect((await act(designer, request.id, 'take')).status).toBe(204)
  expect((await mine(user))[0]).toMatchObject({ status: 'in_progress' })
  expect((await act(designer, request.id, 'notes', { text: 'Pakai foto kedua' })).status).toBe(204)
  expect(await refusal(await act(designer, request.id, 'done'))).toEqual([409, 'custom_edit.no_results'])
  const files = [await pictureOf(designer), await pictureOf(designer, '#00ff00')]
  expect((await act(designer, request.id, 'results', { files })).status).toBe(204)
  expect((await mine(user))[0]?.results).toEqual([])
  expect((await act(designer, request.id, 'done')).status).toBe(204)
  expect((await act(designer, request.id, 'done')).status).toBe(204)

  const mail = await app.mailTo(user.email)
  expect(mail.text).toContain('Foto keluarga')
  const link = new URL(mail.link as string)
  const zip = await app.request(link.pathname)
  expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(
    Buffer.from(await zip.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  expect((await app.request(`/api/custom_edit_results/${request.id}/9999999999-x`)).status).toBe(403)
  expect(app.mails.filter(({ to }) => to === user.email)).toHaveLength(1)
  expect(app.mails.filter(({ to }) => to === wish.email)).toEqual([])
  const [done] = await mine(user)
  expect(done).toMatchObject({ status: 'done', finishedAt: expect.any(String) })
  const address = done?.results[0]?.url ?? ''
  expect((await app.request(address)).status).toBe(200)
  expect((await app.request(address.replace(/session=[^&]*&/, ''))).status).toBe(403)
  const detail = await designer.request(`/api/admin/custom_edits/${request.id}`)
  expect(((await detail.json()) as BoardEditDetail).notes).toMatchObject([
    { author: 'Dinda', text: 'Pakai foto kedua' },
  ])
  expect(await actionsOn(request.id)).toEqual(['taken', 'results_added', 'done'])

  // The owner's links end with the session, because a mailed link may have been passed on.
  expect((await user.request('/api/logout', { method: 'POST' })).status).toBe(204)
  expect(await refusal(await app.request(address))).toEqual([403, 'file.link_invalid'])
  expect((await app.request(link.pathname)).status).toBe(200)

  app.clock.advance({ days: 31 })
  await deleteOldPictures(app.deps)
  expect((await app.request(link.pathname)).status).toBe(403)
  expect(await app.deps.db.$count(customEditFiles, eq(customEditFiles.customEditId, request.id))).toBe(0)
  user = await app.createUser()
  designer = await app.createUser({ role: 'designer', name: 'Dinda' })
  admin = await app.createUser({ role: 'admin' })
})

test('lists show small pictures, made once each, which go with their files', async () => {
  const asker = await app.createUser()
  const { id, attachments } = await asked(asker, { attachments: [await pictureOf(asker)] })
  const begun = engine.tasks.length
  const seen = async () => {
    const response = await app.request(attachments[0]?.thumbnailUrl ?? '')
    return [response.status, response.headers.get('content-type'), await response.text()]
  }
  const small = [200, 'image/webp', 'thumbnail']
  expect(await Promise.all([seen(), seen()])).toEqual([small, small])
  const made = engine.tasks.length
  expect(made).toBeGreaterThan(begun)
  expect(await seen()).toEqual(small)
  expect(engine.tasks).toHaveLength(made)
  const [file] = await app.deps.db.select().from(customEditFiles).where(eq(customEditFiles.customEditId, id))
  const key = file?.thumbnailKey ?? ''
  expect((await asker.request(`/api/custom_edits/${id}/cancel`, { method: 'POST' })).status).toBe(204)
  await expect(app.deps.store.stream(key)).rejects.toThrow()
})

test('words to the designer need no space for files', async () => {
  const asker = await app.createUser()
  const { id } = await asked(asker, { attachments: [await pictureOf(asker)] })
  await app.deps.db
    .update(storedFiles)
    .set({ bytes: 10 * storageLimits.bytes })
    .where(eq(storedFiles.userId, asker.id))
  const answer = await asker.request(`/api/custom_edits/${id}/messages`, { json: { text: 'Yang kiri saja' } })
  expect(answer.status).toBe(204)
})

test('while no small picture can be made the whole one is shown', async () => {
  engine.behave(fail('engine.failed'))
  const asker = await app.createUser()
  const { attachments } = await asked(asker, { attachments: [await pictureOf(asker)] })
  const shown = await app.request(attachments[0]?.thumbnailUrl ?? '')
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
  engine.behave(succeed)
})

test('the same key is the same request, and other content under it is refused', async () => {
  const key = randomUUID()
  const responses = await Promise.all([ask(user, {}, key), ask(user, {}, key), ask(user, {}, key)])
  const ids = new Set(await Promise.all(responses.map(async (each) => ((await each.json()) as CustomEditView).id)))
  expect(ids.size).toBe(1)
  expect(await refusal(await ask(user, { title: 'Lain' }, key))).toEqual([422, 'idempotency.reused'])
  expect((await mine(user)).length).toBe(1)
  const keyless = await user.request('/api/custom_edits', { json: wish })
  expect(await refusal(keyless)).toEqual([400, 'idempotency.key_missing'])
})

test.each([
  [{ title: ' ' }, 'title'],
  [{ email: 'sari@' }, 'email'],
  [{ description: '' }, 'description'],
  [{ whatsapp: '12345' }, 'whatsapp'],
  [{ whatsapp: '1 415 555 2671' }, 'whatsapp'],
  [{ attachments: Array.from({ length: 6 }, () => ({ upload: randomUUID() })) }, 'attachments'],
])('%j is refused by its field', async (json, field) => {
  const response = await ask(user, json)
  const body = (await response.json()) as { code: string; details: Record<string, string> }
  expect([response.status, body.code, Object.keys(body.details)]).toEqual([422, 'form.invalid', [field]])
})

test('another user’s upload cannot be attached, and nothing is left of the attempt', async () => {
  const other = await app.createUser()
  const before = await mine(user)
  const theirs = await pictureOf(other)
  expect((await ask(user, { attachments: [await pictureOf(user), theirs] })).status).toBe(404)
  expect(await mine(user)).toEqual(before)
})

test('a user has at most five open requests', async () => {
  const person = await app.createUser()
  for (let count = 0; count < 5; count++) expect((await ask(person)).status).toBe(201)
  expect(await refusal(await ask(person))).toEqual([409, 'custom_edit.too_many_open'])
  const [first] = await mine(person)
  expect((await person.request(`/api/custom_edits/${first?.id}/cancel`, { method: 'POST' })).status).toBe(204)
  expect((await ask(person)).status).toBe(201)
})

test('a user who requests and withdraws again and again notifies designers little, and is stopped', async () => {
  const [person, dinda] = [await app.createUser(), await app.createUser({ role: 'designer' })]
  const owed = () => app.deps.db.$count(mailOutbox, eq(mailOutbox.userId, dinda.id))
  for (let round = 0; round < 2; round++) {
    const ids = []
    for (let count = 0; count < 5; count++) ids.push((await asked(person, { title: 'Lagi dan lagi' })).id)
    await vi.waitFor(async () => expect(await owed()).toBe(0), 120_000)
    for (const id of ids) {
      expect((await person.request(`/api/custom_edits/${id}/cancel`, { method: 'POST' })).status).toBe(204)
    }
  }
  expect(app.mails.filter(({ to, subject }) => to === dinda.email && /Lagi dan lagi/.test(subject))).toHaveLength(3)
  expect(await refusal(await ask(person))).toEqual([429, 'request.rate_limited'])
  await asked(await app.createUser(), { title: 'Spanduk lain' })
  await app.mailTo(dinda.email, /Spanduk lain/)
})

describe('on the board', () => {
  test('of two designers at the same moment one takes it, the other is informed', async () => {
    const { id } = await asked(user)
    const second = await app.createUser({ role: 'designer' })
    const responses = await Promise.all([act(designer, id, 'take'), act(second, id, 'take')])
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409])
    const owner = responses[0].status === 204 ? designer : second
    const other = owner === designer ? second : designer
    expect(await refusal(await act(other, id, 'decline', { reason: 'Tidak bisa' }))).toEqual([409, 'custom_edit.taken'])
    expect(await refusal(await user.request(`/api/custom_edits/${id}/cancel`, { method: 'POST' }))).toEqual([
      409,
      'custom_edit.taken',
    ])
    expect((await act(owner, id, 'return')).status).toBe(204)
    expect((await act(other, id, 'take')).status).toBe(204)
  })

  test('a request that cannot be done is declined with a reason, which is mailed; what is over stays so', async () => {
    const stranger = `${randomUUID().slice(0, 8)}@contoh.test`
    const { id } = await asked(user, { email: stranger })
    expect((await act(designer, id, 'decline', { reason: ' ' })).status).toBe(422)
    expect((await act(designer, id, 'decline', { reason: 'Fotonya terlalu gelap' })).status).toBe(204)
    expect((await app.mailTo(user.email, /./)).text).toContain('Fotonya terlalu gelap')
    expect(app.mails.filter(({ to }) => to === stranger)).toEqual([])
    expect((await mine(user)).find((each) => each.id === id)).toMatchObject({
      status: 'declined',
      reason: 'Fotonya terlalu gelap',
    })
    expect(await refusal(await act(designer, id, 'take'))).toEqual([409, 'custom_edit.final'])
  })

  test('an open request past its promise is overdue, and comes first', async () => {
    const person = await app.createUser()
    const late = await asked(person)
    app.clock.advance({ days: 4, minutes: 1 })
    const staff = await app.createUser({ role: 'designer' })
    const fresh = await asked(await app.createUser())
    const found = await board(staff, '?status=new')
    const indexOf = (id: string) => found.findIndex((each) => each.id === id)
    expect(found[indexOf(late.id)]?.overdue).toBe(true)
    expect(found[indexOf(fresh.id)]?.overdue).toBe(false)
    expect(indexOf(late.id)).toBeLessThan(indexOf(fresh.id))
    user = await app.createUser()
    designer = staff
    admin = await app.createUser({ role: 'admin' })
  })

  test('only staff open a customer’s picture, and it is recorded', async () => {
    const { id, attachments } = await asked(user, { attachments: [await pictureOf(user)] })
    const path = `/api/admin/custom_edits/${id}/files/${attachments[0]?.id}`
    expect((await user.request(path)).status).toBe(403)
    expect((await designer.request(path)).status).toBe(200)
    expect((await admin.request(path)).status).toBe(200)
    expect(await actionsOn(id)).toEqual(['picture_opened', 'picture_opened'])
    expect((await designer.request(`/api/admin/custom_edits/${id}/files/${randomUUID()}`)).status).toBe(404)
  })

  test('every action is refused to users, with the id of a real request of their own', async () => {
    const { id } = await asked(user)
    for (const [verb, json] of [
      ['take'],
      ['return'],
      ['notes', { text: 'x' }],
      ['results', { files: [{ upload: randomUUID() }] }],
      ['done'],
      ['decline', { reason: 'x' }],
    ] as const) {
      expect(await refusal(await act(user, id, verb, json)), verb).toEqual([403, 'auth.forbidden'])
    }
    expect((await board(admin)).find((each) => each.id === id)?.status).toBe('new')
  })
})

test('deleting the account deletes its requests and pictures, sent ones too, and an archive has them before', async () => {
  const person = await app.createUser()
  const { id } = await asked(person, { attachments: [await pictureOf(person)] })
  const message = { text: 'Seperti ini', pictures: [await pictureOf(person, '#204080')] }
  expect((await person.request(`/api/custom_edits/${id}/messages`, { json: message })).status).toBe(204)
  const { personalData } = (await import('#features/custom-edits/server/contributions.ts')).customEditContributions
  const names: string[] = []
  for await (const { name } of personalData.archive(app.deps, { userId: person.id, language: 'id' })) names.push(name)
  expect(names.toSorted()).toEqual([
    expect.stringContaining(`custom-edits/${id}/attachment-0-`),
    expect.stringContaining(`custom-edits/${id}/attachment-1-`),
    'custom-edits/requests.json',
  ])
  const keys = await app.deps.db.transaction((tx) =>
    personalData.erase(tx as never, { userId: person.id, now: app.clock.now() }),
  )
  expect(keys).toHaveLength(2)
  expect(await mine(person)).toEqual([])
  app.clock.advance({ days: 2 })
  await sweepFiles(app.deps)
  await expect(app.deps.store.stream(keys[0] as string)).rejects.toThrow()
})

test('designers are notified of a new request, and once of an overdue one', async () => {
  const dinda = await app.createUser({ role: 'designer' })
  const { id } = await asked(await app.createUser(), { title: 'Poster pameran' })
  const first = await app.mailTo(dinda.email, /Poster pameran/)
  expect(new URL(first.link as string).search).toBe(`?id=${id}`)
  await act(dinda, id, 'take')
  app.clock.advance({ days: 5 })
  await mailOverdueRequests(app.deps)
  await mailOverdueRequests(app.deps)
  const late = await app.mailTo(dinda.email, /Lewat tenggat: Poster/)
  expect(new URL(late.link as string).search).toBe(`?id=${id}`)
  expect(app.mails.filter(({ to, subject }) => to === dinda.email && /Lewat.*Poster/.test(subject))).toHaveLength(1)
  const counts = await (
    await (await app.createUser({ role: 'designer' })).request('/api/admin/custom_edits/counts')
  ).json()
  expect(counts).toMatchObject({ overdue: expect.any(Number) })
  expect((counts as { overdue: number }).overdue).toBeGreaterThan(0)
})

test('results that are sent again after a lost response, or twice at once, are added once', async () => {
  const [customer, maker] = [await app.createUser(), await app.createUser({ role: 'designer' })]
  const { id } = await asked(customer)
  await act(maker, id, 'take')
  const files = [await pictureOf(maker), await pictureOf(maker, '#00ff00')]
  const sent = await Promise.all([1, 2, 3].map(() => act(maker, id, 'results', { files })))
  expect(sent.map(({ status }) => status)).toEqual([204, 204, 204])
  expect((await act(maker, id, 'done')).status).toBe(204)
  expect((await act(maker, id, 'results', { files })).status).toBe(204)
  expect((await mine(customer)).find((request) => request.id === id)?.results).toHaveLength(2)
  expect(await actionsOn(id)).toEqual(['taken', 'results_added', 'done'])
})

test('a finished request is reopened once, keeps its first version, and sends its second one with a note', async () => {
  const [customer, maker] = [await app.createUser(), await app.createUser({ role: 'designer', name: 'Dinda' })]
  const own = (id: string, verb: string, text: string) =>
    customer.request(`/api/custom_edits/${id}/${verb}`, { json: { text } })
  const now = async (id: string) => (await mine(customer)).find((request) => request.id === id)
  const { id } = await asked(customer)
  await act(maker, id, 'take')
  expect(await refusal(await own(id, 'reopen', 'Lebih terang'))).toEqual([409, 'custom_edit.final'])
  expect((await own(id, 'messages', 'Tolong cepat, ya')).status).toBe(204)
  await app.mailTo(maker.email, /Pesan pelanggan/)
  expect((await act(maker, id, 'notes', { text: 'Siap', shared: true })).status).toBe(204)
  expect((await app.mailTo(customer.email, /Pesan dari desainer/)).text).toContain('Siap')
  await act(maker, id, 'notes', { text: 'Pelanggan ini buru-buru' })
  const first = [await pictureOf(maker)]
  await act(maker, id, 'results', { files: first })
  await act(maker, id, 'done')
  expect(await now(id)).toMatchObject({ canReopen: true, version: 1 })
  await app.mailTo(customer.email, 2)

  expect((await own(id, 'reopen', 'Lebih terang')).status).toBe(204)
  expect(await now(id)).toMatchObject({ status: 'in_progress', version: 2, canReopen: false, finishedAt: null })
  expect((await now(id))?.results.map(({ version }) => version)).toEqual([1])
  const [, results] = await Promise.all([
    act(maker, id, 'results', { files: [await pictureOf(maker, '#00ff00')] }),
    (await maker.request(`/api/admin/custom_edits/${id}`)).json() as Promise<BoardEditDetail>,
  ])
  // A sent result cannot be removed, and is not sent as the second version.
  const sent = results.results.find(({ version }) => version === 1)
  const removed = await maker.request(`/api/admin/custom_edits/${id}/results/${sent?.id}`, { method: 'DELETE' })
  expect(removed.status).toBe(404)
  expect((await now(id))?.results).toHaveLength(1)
  expect((await act(maker, id, 'done', { note: 'Sudah lebih terang' })).status).toBe(204)
  const mail = await app.mailTo(customer.email, 3)
  expect(mail.text).toContain('Pesan desainer: Sudah lebih terang')
  const done = await now(id)
  expect(done?.results.map(({ version }) => version)).toEqual([1, 2])
  expect(done?.messages.map(({ mine: own, text }) => [own, text])).toEqual([
    [true, 'Tolong cepat, ya'],
    [false, 'Siap'],
    [true, 'Lebih terang'],
    [false, 'Sudah lebih terang'],
  ])
  expect(await refusal(await own(id, 'reopen', 'Lagi'))).toEqual([409, 'custom_edit.final'])
})

test('originals come as they were sent, one as a file and several in a ZIP, and opening them is recorded', async () => {
  const customer = await app.createUser()
  const maker = await app.createUser({ role: 'designer' })
  const { id } = await asked(customer, {
    attachments: [await pictureOf(customer), await pictureOf(customer, '#204080')],
  })
  const originals = (by: TestUser) => by.request(`/api/admin/custom_edits/${id}/originals`)
  const zip = await originals(maker)
  expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect((await originals(customer)).status).toBe(403)
  expect(await actionsOn(id)).toEqual(['picture_opened'])
  const { id: single } = await asked(customer, { attachments: [await pictureOf(customer)] })
  const one = await maker.request(`/api/admin/custom_edits/${single}/originals`)
  expect(one.headers.get('content-type')).toBe('image/png')
})

test('delivered results are rated once, changed for some days, and averaged for staff', async () => {
  const [customer, maker] = [await app.createUser(), await app.createUser({ role: 'designer' })]
  const rate = (id: string, stars: number, comment = '', by = customer) =>
    by.request(`/api/custom_edits/${id}/rating`, { json: { stars, comment } })
  const now = async (id: string) => (await mine(customer)).find((request) => request.id === id)
  const counts = async () => (await (await maker.request('/api/admin/custom_edits/counts')).json()) as BoardCounts
  const { id } = await asked(customer)
  await act(maker, id, 'take')
  expect(await refusal(await rate(id, 5))).toEqual([409, 'custom_edit.not_ratable'])
  await act(maker, id, 'results', { files: [await pictureOf(maker)] })
  await act(maker, id, 'done')
  expect(await now(id)).toMatchObject({ rating: null, canRate: true })
  const before = await counts()
  expect(before).toMatchObject({ ownRatings: 0, ownAverageStars: null })

  expect((await rate(id, 0)).status).toBe(422)
  expect((await rate(id, 5, '', maker)).status).toBe(404)
  expect((await rate(id, 3, 'Lumayan')).status).toBe(204)
  expect((await rate(id, 5, 'Ternyata pas')).status).toBe(204)
  const rating = { stars: 5, comment: 'Ternyata pas' }
  expect((await now(id))?.rating).toMatchObject(rating)
  const seen = (await (await maker.request(`/api/admin/custom_edits/${id}`)).json()) as BoardEditDetail
  expect(seen.rating).toMatchObject(rating)
  expect(await counts()).toMatchObject({ ratings: before.ratings + 1, ownRatings: 1, ownAverageStars: 5 })

  app.clock.advance({ days: 8 })
  // The session has ended by then.
  const late = rateRequest(app.deps, { id, userId: customer.id }, { stars: 1, comment: '' })
  await expect(late).rejects.toMatchObject({ code: 'custom_edit.not_ratable' })
})

test('a message carries pictures once, which the designer opens, and a withdrawal deletes them', async () => {
  const [asker, other, staff] = [
    await app.createUser(),
    await app.createUser(),
    await app.createUser({ role: 'designer' }),
  ]
  const { id } = await asked(asker, { attachments: [await pictureOf(asker)] })
  const say = (by: TestUser, json: object) => by.request(`/api/custom_edits/${id}/messages`, { json })
  const picture = await pictureOf(asker, '#204080')
  const json = { text: 'Seperti di gambar ini', pictures: [picture] }
  expect(await refusal(await say(other, { ...json, pictures: [await pictureOf(other)] }))).toEqual([
    404,
    'custom_edit.not_found',
  ])
  expect((await say(asker, { ...json, pictures: [await pictureOf(other)] })).status).toBe(404)
  for (const attempt of ['first', 'repeated']) expect((await say(asker, json)).status, attempt).toBe(204)
  expect((await say(asker, { text: 'Tanpa gambar' })).status).toBe(204)

  const [request] = await mine(asker)
  expect(request?.messages).toMatchObject([
    { text: 'Seperti di gambar ini', pictures: [{ id: picture.upload }] },
    { text: 'Tanpa gambar', pictures: [] },
  ])
  expect(request?.attachments).toHaveLength(2)
  const address = request?.messages[0]?.pictures[0]?.url ?? ''
  expect((await app.request(address)).status).toBe(200)
  const detail = await staff.request(`/api/admin/custom_edits/${id}`)
  expect(((await detail.json()) as BoardEditDetail).notes).toMatchObject([{ pictures: 1 }, { pictures: 0 }])
  expect((await staff.request(`/api/admin/custom_edits/${id}/files/${picture.upload}`)).status).toBe(200)
  expect((await ask(other, { attachments: [picture] })).status).toBe(404)

  expect((await asker.request(`/api/custom_edits/${id}/cancel`, { method: 'POST' })).status).toBe(204)
  expect((await app.request(address)).status).toBe(404)
})
