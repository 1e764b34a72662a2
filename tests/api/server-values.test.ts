import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { findTargetHandler } from 'hono/utils/handler'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SecondFactorView, TotpView } from '#features/account/schemas.ts'
import { customEditNotes, customEdits } from '#features/custom-edits/server/table.ts'
import { generations } from '#features/generations/server/table.ts'
import { pushSettings, pushSubscriptions } from '#features/push/server/table.ts'
import { auditLog } from '#server/audit/table.ts'
import { sessions, users } from '#server/auth/table.ts'
import { checkedInput } from '#server/http/validate.ts'
import { inputSchema } from '#shared/schema.ts'
import { readToken } from '#shared/session.ts'
import { createFakeEngine } from '#tests/support/fake-engine.ts'
import { authenticator, openFirstFactorLink } from '#tests/support/second-factor.ts'
import { creditsOf, formOf, makePicture, reached, refusal } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { upload } from '#tests/support/upload.ts'
import { pushSubscription } from '#tests/support/user-calls.ts'

let app: TestApp
let user: TestUser
let other: TestUser
beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine(), env: { PUSH_SERVICES: '*.push.apple.com' } })
  user = await app.createUser()
  other = await app.createUser()
})
afterAll(() => app.stop())

const sessionOf = ({ token }: Pick<TestUser, 'token'>) => readToken(token)?.session ?? ''
const identityOf = (account: TestUser) => ({ userId: account.id, sessionId: sessionOf(account) })

async function askDesigner(owner: TestUser): Promise<string> {
  const json = { title: 'Foto', whatsapp: '081234567890', email: 'sari@contoh.test', description: 'Cerahkan' }
  const asked = await owner.request('/api/custom_edits', { json, headers: { 'idempotency-key': randomUUID() } })
  return ((await asked.json()) as { id: string }).id
}

interface SchemaNode {
  kind: string
  inner: { undeclared?: string; sequence?: unknown; value?: SchemaNode }
  expression: string
  references: readonly SchemaNode[]
}
const nodeOf = (schema: unknown) => (schema as { internal: SchemaNode }).internal

/** And their treatment of undeclared keys. */
const objectsIn = (schema: unknown) =>
  nodeOf(schema)
    .references.filter(({ kind, inner }) => kind === 'structure' && inner.sequence === undefined)
    .map(({ inner, expression }) => ({ undeclared: inner.undeclared, expression }))

const takesAnyObject = (schema: unknown) =>
  [nodeOf(schema), ...nodeOf(schema).references.map(({ inner }) => inner.value)].some(
    (node) => node?.expression === 'object',
  )

test('every schema of a request removes or refuses undeclared keys, in each of its parts', () => {
  const { routes } = app.composition.app
  const inputs = routes.flatMap(({ method, path, handler }) => {
    const input = checkedInput(findTargetHandler(handler))
    return input ? [{ name: `${method} ${path}`, schema: input.schema }] : []
  })
  expect(inputs.length).toBeGreaterThan(100)
  const open = inputs.flatMap(({ name, schema }) =>
    objectsIn(schema)
      .filter(({ undeclared }) => undeclared !== 'delete' && undeclared !== 'reject')
      .map(({ expression }) => `${name}: ${expression}`),
  )
  expect(open).toEqual([])
  // Tools check their parameters themselves; WebAuthn's extensions are not read.
  expect(inputs.filter(({ schema }) => takesAnyObject(schema)).map(({ name }) => name)).toEqual([
    ...['POST /api/login_passkey', 'POST /api/user/email', 'POST /api/user/totp', 'POST /api/user/totp/off'],
    ...['POST /api/user/recovery_codes', 'POST /api/user/passkeys/options', 'POST /api/user/passkeys'],
    ...['POST /api/user/passkeys/:id/remove', 'POST /api/user/api_keys', 'POST /api/tools/:tool/params'],
    ...['PUT /api/user/looks', 'POST /api/user/webhooks', 'POST /api/user/webhooks/:id/rotate'],
    ...['POST /api/v1/tools/:tool/params'],
  ])
})

test('the parameters of every tool refuse undeclared keys, in each of their parts', () => {
  const tools = Object.values(app.deps.tools)
  const open = tools.flatMap(({ id, paramsSchema }) =>
    objectsIn(inputSchema(paramsSchema))
      .filter(({ undeclared }) => undeclared !== 'reject')
      .map(({ expression }) => `${id}: ${expression}`),
  )
  expect(tools.length).toBeGreaterThanOrEqual(12)
  expect(open).toEqual([])
})

test('a session gets a second factor by a code of its own account alone', async () => {
  const staff = await app.createUser({ role: 'admin' })
  const nextCodes: (() => string)[] = []
  for (const account of [staff, other]) {
    await openFirstFactorLink(app, account)
    const started = await account.request('/api/user/totp', { json: { password: account.password } })
    nextCodes.push(authenticator(app, (await started.json()) as TotpView))
  }
  const code = nextCodes[1]?.()
  for (const json of [
    { code, ...identityOf(other) },
    { ...identityOf(other), code, user: { id: other.id } },
  ]) {
    const response = await staff.request('/api/user/totp/confirm', { json })
    expect(await refusal(response)).toEqual([422, 'second_factor.wrong_code'])
  }
  for (const account of [staff, other]) {
    const view = (await (await account.request('/api/user/second_factor')).json()) as SecondFactorView
    expect([view.totp, view.shown]).toEqual([false, false])
    const [session] = await app.deps.db
      .select()
      .from(sessions)
      .where(eq(sessions.id, sessionOf(account)))
    expect(session?.secondFactorAt).toBeNull()
  }
  expect((await staff.request('/api/user/totp/confirm', { json: { code: nextCodes[0]?.() } })).status).toBe(200)
})

test('a push device and what is muted belong to the account that calls', async () => {
  const device = pushSubscription()
  const injected = { ...device, ...identityOf(other), keys: { ...device.keys, ...identityOf(other), id: other.id } }
  const put = (path: string, body: object) => user.request(path, { method: 'PUT', json: body })
  expect((await put('/api/user/push/device', injected)).status).toBe(204)
  const rows = await app.deps.db.select().from(pushSubscriptions)
  expect(rows).toMatchObject([{ ...identityOf(user), endpoint: device.endpoint }])
  expect((await put('/api/user/push', { muted: [], userId: other.id })).status).toBe(204)
  expect(await app.deps.db.select().from(pushSettings)).toEqual([{ userId: user.id, muted: [] }])
})

test('a customer writes into their own request alone', async () => {
  const [own, theirs] = [await askDesigner(user), await askDesigner(other)]
  const json = { text: 'Halo', id: theirs, userId: other.id, customEditId: theirs, authorId: other.id, shared: false }
  expect((await user.request(`/api/custom_edits/${own}/messages?id=${theirs}`, { json })).status).toBe(204)
  expect(await app.deps.db.select().from(customEditNotes)).toMatchObject([
    { customEditId: own, authorId: user.id, shared: true, text: 'Halo' },
  ])
  for (const verb of ['messages', 'reopen']) {
    const response = await user.request(`/api/custom_edits/${theirs}/${verb}`, { json: { ...json, id: own } })
    expect(await refusal(response)).toEqual([404, 'custom_edit.not_found'])
  }
})

test('a designer cannot end a request of another designer by claiming to be an admin', async () => {
  const id = await askDesigner(user)
  const [first, second] = [await app.createUser({ role: 'designer' }), await app.createUser({ role: 'designer' })]
  const board = `/api/admin/custom_edits/${id}`
  expect((await first.request(`${board}/take`, { method: 'POST' })).status).toBe(204)
  const admin = { id: first.id, role: 'admin' }
  const injected = {
    staff: admin,
    user: admin,
    role: 'admin',
    as: 'declined',
    status: 'declined',
    designerId: second.id,
  }
  const refused = { reason: 'Tidak bisa', files: [{ upload: randomUUID(), ...injected }], note: 'Halo', ...injected }
  for (const verb of ['done', 'decline', 'results', 'return']) {
    const response = await second.request(`${board}/${verb}?role=admin&as=declined`, { json: refused })
    expect([verb, ...(await refusal(response))]).toEqual([verb, 409, 'custom_edit.taken'])
  }
  const [row] = await app.deps.db.select().from(customEdits).where(eq(customEdits.id, id))
  expect([row?.status, row?.designerId]).toEqual(['in_progress', first.id])
})

test('a change of an account affects the one in the path, and the audit log names the admin who made it', async () => {
  const { db } = app.deps
  const [admin, another] = [await app.createUser({ role: 'admin' }), await app.createUser({ role: 'admin' })]
  const [target, bystander] = [await app.createUser(), await app.createUser()]
  const json = {
    id: bystander.id,
    userId: bystander.id,
    staffId: another.id,
    adminId: another.id,
    actor: another.id,
    role: 'designer',
    reason: 'Perlu',
  }
  const path = `/api/admin/users/${target.id}?id=${bystander.id}&staffId=${another.id}`
  expect((await admin.request(path, { method: 'PATCH', json })).status).toBe(200)
  const roleOf = async ({ id }: TestUser) => (await db.select().from(users).where(eq(users.id, id)))[0]?.role
  expect([await roleOf(target), await roleOf(bystander)]).toEqual(['designer', 'user'])
  const entries = await db.select().from(auditLog).where(eq(auditLog.subjectId, target.id))
  expect(entries.map(({ actorId, action }) => [actorId, action])).toEqual([[admin.id, 'account.status_changed']])
  expect(await db.$count(auditLog, eq(auditLog.subjectId, bystander.id))).toBe(0)
})

test('a generation with unknown keys is created for the calling account and at its price', async () => {
  const picture = (await upload(user, await makePicture())).id
  const before = [await creditsOf(user), await creditsOf(other)]
  const json = {
    tool: 'background-removal',
    params: {},
    inputs: { picture: [{ upload: picture }] },
    rendering: 0,
    ...identityOf(other),
    id: randomUUID(),
    credits: 0,
    status: 'succeeded',
    key: 'x',
    client: 'of last year',
  }
  const made = await user.request('/api/generations?userId=x', {
    json,
    headers: { 'idempotency-key': randomUUID() },
  })
  expect(made.status).toBe(201)
  const { id } = (await made.json()) as { id: string }
  expect(id).not.toBe(json.id)
  await reached(user, id)
  const [row] = await app.deps.db.select().from(generations).where(eq(generations.id, id))
  expect([row?.userId, row?.credits]).toEqual([user.id, 5])
  expect([await creditsOf(user), await creditsOf(other)]).toEqual([(before[0] ?? 0) - 5, before[1]])
})

test('a form with a field that it does not have is refused, and so is a field or a key that comes twice', async () => {
  const before = await creditsOf(user)
  for (const [name, value] of Object.entries({
    ...identityOf(other),
    id: randomUUID(),
    credits: '0',
    tool: 'colorizer',
  })) {
    const body = await formOf()
    body.append(name, value)
    const headers = { 'idempotency-key': randomUUID() }
    const response = await user.request('/api/generations', { method: 'POST', body, headers })
    expect([name, ...(await refusal(response))]).toEqual([name, 400, 'request.malformed'])
  }
  for (const query of ['limit=1&limit=2', 'cursor=x&cursor=y', 'status=failed&status=failed'])
    expect(await refusal(await user.request(`/api/generations?${query}`))).toEqual([422, 'form.invalid'])
  expect(await creditsOf(user)).toBe(before)
})
