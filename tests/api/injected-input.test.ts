import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { auditLog } from '#server/audit/table.ts'
import { rows } from '#server/db/database.ts'
import { mailOutbox } from '#server/mail/table.ts'
import { accountLimits } from '#server/moderation/table.ts'
import { readToken } from '#shared/session.ts'
import { type AdminSubjects, adminCalls, makeAdminSubjects } from '#tests/support/admin-calls.ts'
import { readApiDocument } from '#tests/support/api-document.ts'
import { createFakeEngine } from '#tests/support/fake-engine.ts'
import type { ApiDocument } from '#tests/support/hostile-calls.ts'
import { createTestApp, type TestApp, type TestRequest, type TestUser } from '#tests/support/test-app.ts'
import { type UserSubjects, userCalls } from '#tests/support/user-calls.ts'

let app: TestApp
let document: ApiDocument
let owner: TestUser
let admin: TestUser
/** No call may reach these accounts. */
let victim: TestUser
let otherAdmin: TestUser
let managed: AdminSubjects
let theirs: AdminSubjects
let own: UserSubjects
let protectedIds: string[]

const sessionOf = ({ token }: { token: string }) => readToken(token)?.session ?? ''

beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine(), env: { PUSH_SERVICES: '*.push.apple.com' } })
  document = await readApiDocument(app.request)
  owner = await app.createUser()
  victim = await app.createUser()
  admin = await app.createUser({ role: 'admin' })
  otherAdmin = await app.createUser({ role: 'admin' })
  // Gets the mails about requests; without a designer, all admins do.
  await app.createUser({ role: 'designer' })
  managed = await makeAdminSubjects(app, await app.createUser(), admin)
  const records = await makeAdminSubjects(app, owner, admin)
  // The owner has to be able to make every call of a user.
  await app.deps.db.delete(accountLimits).where(eq(accountLimits.userId, owner.id))
  theirs = await makeAdminSubjects(app, victim, otherAdmin)
  const look = await owner.request('/api/user/looks', {
    method: 'PUT',
    json: { tool: 'background-removal', name: 'Putih', params: {} },
  })
  const shared = { generationId: records.generation, position: 0, days: 1, withOriginal: false, password: null }
  const link = await owner.request('/api/user/shared_results', { json: shared })
  own = {
    email: owner.email,
    order: records.order,
    generation: records.generation,
    edit: records.edit,
    look: ((await look.json()) as { id: string }).id,
    link: ((await link.json()) as { id: string }).id,
    session: sessionOf({ token: await app.signIn(owner.email, owner.password) }),
  }
  // Mails about the setup are part of the state before.
  await vi.waitFor(async () => expect(await app.deps.db.$count(mailOutbox)).toBe(0), { timeout: 300_000, interval: 10 })
  const { preset: _, ...named } = theirs
  protectedIds = [...new Set([...Object.values(named), otherAdmin.id, sessionOf(victim), sessionOf(otherAdmin)])]
  await noteProtectedChanges()
})
afterAll(() => app.stop())

/** Names that the server's own values have or had. */
function injected(id: string) {
  return {
    id,
    userId: victim.id,
    user_id: victim.id,
    ownerId: victim.id,
    subjectId: id,
    email_verified: true,
    sessionId: sessionOf(victim),
    session_id: sessionOf(victim),
    orderId: theirs.order,
    order_id: theirs.order,
    staffId: otherAdmin.id,
    adminId: otherAdmin.id,
    admin_id: otherAdmin.id,
    actorId: otherAdmin.id,
    actor: otherAdmin.id,
    designerId: otherAdmin.id,
    createdBy: otherAdmin.id,
    authorId: otherAdmin.id,
    staff: { id: otherAdmin.id, role: 'admin' },
    user: { id: victim.id, role: 'admin' },
    owner: victim.id,
    role: 'admin',
    duty: null,
    isAdmin: true,
    as: 'declined',
    key: 'injected',
    idempotencyKey: 'injected',
    credits: 999_999,
    balance: 999_999,
    status: 2,
    generationId: theirs.generation,
    template: 'receipt',
    tool: 'colorizer',
    address: '203.0.113.7',
    agent: 'bot',
    secondFactor: true,
    uses: 0,
    now: 0,
  }
}

interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: { content?: Record<string, { schema?: unknown }> }
}

function propertiesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, ...rest } = schema as { properties?: object }
  return [...Object.keys(properties ?? {}), ...Object.values({ ...properties, ...rest }).flatMap(propertiesIn)]
}

/** Without keys that the route declares. */
function undeclaredFor(route: string, id: string): Record<string, unknown> {
  const [method = '', path = ''] = route.split(' ')
  const operation = document.paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()] as
    | Operation
    | undefined
  const parameters = operation?.parameters?.filter((parameter) => parameter.in === 'query') ?? []
  const declared = new Set([
    ...parameters.map(({ name }) => name),
    ...propertiesIn(operation?.requestBody?.content?.['application/json']?.schema),
  ])
  return Object.fromEntries(Object.entries(injected(id)).filter(([name]) => !declared.has(name)))
}

function withQuery(path: string, keys: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(keys)) {
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
    for (const [inner, part] of Object.entries(value ?? {}))
      if (typeof value === 'object') query.append(`${name}[${inner}]`, String(part))
  }
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

/** JSON with the keys in every object, and under names that lead to prototypes. */
function nested(value: unknown, keys: Record<string, unknown>): string {
  if (Array.isArray(value)) return `[${value.map((part) => nested(part, keys))}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const more = Object.entries(keys).filter(([name]) => !(name in value))
  const parts = [
    ...[`"__proto__":${JSON.stringify(keys)}`, `"constructor":{"prototype":${JSON.stringify(keys)}}`],
    ...more.map(([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`),
    ...Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}:${nested(part, keys)}`),
  ]
  return `{${parts}}`
}

/** Headers by which proxies identify users. */
const identityHeaders = () => ({
  'x-user-id': victim.id,
  'x-session-id': sessionOf(victim),
  'x-admin-id': otherAdmin.id,
  'x-role': 'admin',
  'remote-user': victim.email,
  'x-auth-request-user': victim.id,
})

/** From now on, a trigger notes every row that names a protected record and changes. */
async function noteProtectedChanges(): Promise<void> {
  const { db } = app.deps
  const tables = await rows<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  await db.execute(sql`create table protected_changes (change text not null)`)
  await db.execute(
    sql.raw(`create function note_protected_change() returns trigger language plpgsql as $$
    begin
      if (to_jsonb(old)::text ~ tg_argv[0] or to_jsonb(new)::text ~ tg_argv[0]) and old is distinct from new then
        insert into protected_changes values (concat_ws(' ', tg_table_name, to_jsonb(old), 'became', to_jsonb(new)));
      end if;
      return null;
    end $$`),
  )
  for (const { name } of tables) {
    const named = sql.raw(`'${protectedIds.join('|')}'`)
    await db.execute(sql`create trigger note_protected_change after insert or update or delete
      on ${sql.identifier(name)} for each row execute function note_protected_change(${named})`)
  }
}

/** Protected records that the calls of a route changed. */
async function protectedChanges(route: string): Promise<string[]> {
  const found = await rows<{ change: string }>(app.deps.db, sql`delete from protected_changes returning change`)
  return found.map(({ change }) => `${route} changed ${change.slice(0, 300)}`)
}

interface Sent {
  path: string
  json?: unknown
  body?: FormData
  headers?: Record<string, string> | undefined
  token?: string | undefined
}

function sendFlat(method: string, { path, json, ...rest }: Sent, keys: Record<string, unknown>) {
  const init: TestRequest = { ...rest, method, headers: { ...identityHeaders(), ...rest.headers } }
  const isObject = typeof json === 'object' && json !== null
  return app.request(withQuery(`/api${path}`, keys), isObject ? { ...init, json: { ...keys, ...json } } : init)
}

function sendNested(method: string, { path, json, headers, token }: Sent, keys: Record<string, unknown>) {
  const init: TestRequest = { method, headers: { 'content-type': 'application/json', ...headers }, token }
  return app.request(`/api${path}`, { ...init, body: nested(json, keys) })
}

const isSuccess = (status: number) => status < 400

test('injected keys never change the subject or the actor of what users and visitors do', async () => {
  const wrong: string[] = []
  const refusing: string[] = []
  const check = async (route: string, caller: TestUser, response: Response) => {
    const text = await response.text()
    for (const id of [...protectedIds, victim.email, otherAdmin.email])
      if (id !== theirs.announcement && text.includes(id)) wrong.push(`${route} responds with ${id}`)
    const token = readToken(/"access_token":"([^"]+)"/.exec(text)?.[1])
    const isOther = token && ![caller.id, owner.id].includes(token.user.id)
    if (isOther || (token && token.user.role !== 'user')) wrong.push(`${route} gives a token of ${token.raw}`)
  }
  for (const [route, callOf] of Object.entries(userCalls)) {
    const [method = ''] = route.split(' ')
    const keys = undeclaredFor(route, victim.id)
    for (const send of [sendFlat, sendNested]) {
      const { isLast, isStream, status, ...call } = await callOf(own)
      if (send === sendNested && call.json === undefined) continue
      const caller = isLast ? await app.createUser() : owner
      const response = await send(method, { ...call, token: caller.token }, keys)
      if (isStream) await response.body?.cancel()
      else await check(route, caller, response)
      const isExpected = status === undefined ? isSuccess(response.status) : response.status === status
      if (send === sendFlat && response.status === 422 && !isExpected) refusing.push(route)
      else if (send === sendFlat && !isExpected) wrong.push(`${route}: ${response.status}`)
      else if (response.status >= 500) wrong.push(`${route} nested: ${response.status}`)
    }
    wrong.push(...(await protectedChanges(route)))
  }
  expect(wrong).toEqual([])
  expect(refusing).toEqual([
    ...['GET /tools', 'POST /tools/:tool/params', 'POST /user/shared_results', 'POST /shared_results/:token/open'],
  ])
})

// Runs after the users' calls, because staff also change prices.
test('injected keys never change the subject or the actor of what staff do', async () => {
  const wrong: string[] = []
  const refusing: string[] = []
  for (const [route, callOf] of Object.entries(adminCalls)) {
    const [method = ''] = route.split(' ')
    const logged = await app.deps.db.$count(auditLog)
    const [path, json] = callOf(managed)
    // Forms of files are parsed strictly: another field is malformed.
    if (json instanceof FormData) continue
    const name = (Object.keys(managed) as (keyof AdminSubjects)[]).find((key) => path.includes(managed[key] as string))
    const id = name === undefined || name === 'preset' ? victim.id : theirs[name]
    const keys = undeclaredFor(route, id)
    const call = { path: `/admin${path}`, json, headers: { 'idempotency-key': randomUUID() }, token: admin.token }
    const { status } = await sendFlat(method, call, keys)
    if (status === 422) refusing.push(route)
    else if (!isSuccess(status) && ![404, 409].includes(status)) wrong.push(`${route}: ${status}`)
    if (json !== undefined) {
      const again = await sendNested(method, { ...call, headers: { 'idempotency-key': randomUUID() } }, keys)
      if (again.status >= 500) wrong.push(`${route} nested: ${again.status}`)
    }
    wrong.push(...(await protectedChanges(route)))
    const entries = (await app.deps.db.select().from(auditLog)).slice(logged)
    for (const { actorId, action } of entries)
      if (actorId !== admin.id) wrong.push(`${route}: ${action} is by ${actorId}`)
  }
  expect(wrong).toEqual([])
  expect(refusing).toEqual([
    ...['POST /admin/providers/test', 'POST /admin/tools/:tool/compare', 'POST /admin/models/:name'],
    ...['PATCH /admin/tools/:tool', 'PUT /admin/provider_settings/:provider', 'PUT /admin/tasks/:task'],
  ])
})

test('every route of users and visitors has a call, and no other has', () => {
  const { routes } = app.composition.app
  const names = routes
    // Routes for programs are the app's own.
    .filter(({ method, path }) => method !== 'ALL' && /^\/api\/(?!(admin|v1)\/)/.test(path))
    .map(({ method, path }) => `${method} ${path.slice('/api'.length)}`)
  expect(Object.keys(userCalls).sort()).toEqual([...new Set(names)].sort())
})
