import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { vi } from 'vitest'
import { users } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { createLog } from '#server/log.ts'
import type { Mail } from '#server/mail/mailer.ts'
import type { Notifier } from '#server/notify.ts'
import { type Composition, compose, type Replacements } from '#server-app/compose.ts'
import { readConfig, type SignInCosts } from '#server-app/config.ts'
import { recordUnexpectedOutput } from './quiet.ts'
import { lendToolPool } from './run-tool.ts'
import { type SeededUser, seedUser, testPassword, type UserSeed } from './seed-user.ts'
import { createServerHome, type ServerHome } from './server-home.ts'

export { testPassword }

const cheapSignInCosts: SignInCosts = { passwordHash: { memory: 8, passes: 1 }, responseInterval: 1 }

/** May time out under load, and succeed later. */
const overloaded =
  /"(Connection terminated due to connection timeout|timeout exceeded when trying to connect|Query read timeout)".*"repeated task failed"/

export interface TestAppOptions
  extends Pick<Replacements, 'engine' | 'tools' | 'providers' | 'store' | 'distDir' | 'mailer' | 'freeBytes'> {
  env?: Record<string, string>
  /** Costs and waits of passwords as in production. */
  realCosts?: boolean
  home?: ServerHome
  /** Minutes by which the clock is ahead at the start. */
  minutesAhead?: number
  /** `web` runs no jobs and no recurring tasks, for tests that write rows of their own. */
  role?: Config['role']
}

export interface TestRequest extends Omit<RequestInit, 'body'> {
  /** Makes POST the default method. */
  json?: unknown
  body?: BodyInit | null
  token?: string
  from?: string
}

export interface TestUser extends SeededUser {
  request(path: string, init?: TestRequest): Promise<Response>
  /** To the app's notifications. */
  subscribe: Notifier['subscribe']
}

export interface TestApp {
  deps: Deps
  config: Config
  composition: Composition
  /** Runs, and can be moved. */
  clock: { now(): Date; advance(time: { days?: number; hours?: number; minutes?: number; seconds?: number }): void }
  mails: Mail[]
  /** By subject or link, or the nth one (from 1). */
  mailTo(email: string, which?: RegExp | number): Promise<Mail>
  logged: Record<string, unknown>[]
  /** Other error lines fail the test. */
  expectErrors(pattern: RegExp): void
  request(path: string, init?: TestRequest): Promise<Response>
  register(
    given?: Partial<Pick<TestUser, 'name' | 'email' | 'password'>>,
  ): Promise<Omit<TestUser, 'token' | 'request' | 'subscribe' | 'id'>>
  signIn(email: string, password: string, remember?: boolean): Promise<string>
  /** True if the password opens a session. */
  canSignIn(email: string, password: string): Promise<boolean>
  /** Verified, with welcome credits; no mail is sent. */
  createUser(given?: UserSeed): Promise<TestUser>
  /** Registers, verifies and signs in by requests, which takes long. */
  registerAndVerify(given?: UserSeed): Promise<TestUser>
  stop(): Promise<void>
}

/** With its own embedded database, or with TEST_DATABASE_URL on that PostgreSQL. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const home = options.home ?? (await createServerHome())
  const given = readConfig({ ...home.env, ENGINE_THREADS: '1', ...options.env })
  const costs = options.realCosts ? given.signInCosts : cheapSignInCosts
  const config = { ...given, signInCosts: costs, role: options.role ?? given.role }

  let offset = 60_000 * (options.minutesAhead ?? 0)
  const now = () => new Date(Date.now() + offset)
  const mails: Mail[] = []
  const logged: Record<string, unknown>[] = []
  const expected: RegExp[] = [overloaded]
  const log = createLog('info', {
    write(line) {
      const entry = JSON.parse(line) as Record<string, unknown>
      logged.push(entry)
      if ((entry.level === 'error' || entry.level === 'fatal') && !expected.some((pattern) => pattern.test(line)))
        recordUnexpectedOutput(`log: ${line}`)
    },
  })
  const composition = await compose(config, log, {
    clock: now,
    // Models are loaded once for the process.
    engine: lendToolPool((code, reason) => log.error({ code, reason }, 'the engine failed')),
    mailer: { send: async (mail) => void mails.push(mail) },
    // Need not survive a power cut.
    fsync: () => {},
    ...options,
  })
  const { deps, app } = composition
  const { subscribe } = deps.notifier

  const request: TestApp['request'] = async (path, { json, token, from = '127.0.0.1', ...init } = {}) => {
    const headers = new Headers(init.headers)
    if (token) headers.set('authorization', `Bearer ${token}`)
    if (json !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
    const body = json === undefined ? init.body : JSON.stringify(json)
    const method = init.method ?? (body == null ? 'GET' : 'POST')
    const environment = { incoming: { socket: { remoteAddress: from } } } as never
    return await app.request(path, { ...init, method, headers, body }, environment)
  }
  const must = async (answer: Response): Promise<Response> => {
    if (answer.ok || answer.status === 302) return answer
    throw new Error(`${answer.status} ${await answer.text()}`)
  }

  /** All users share the device's cookie. */
  let device: string | undefined

  const testApp: TestApp = {
    deps,
    config,
    composition,
    clock: {
      now,
      advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
        offset += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
      },
    },
    mails,
    async mailTo(email, which = 1) {
      return await vi.waitFor(
        () => {
          const own = mails.filter(({ to }) => to === email)
          const mail =
            typeof which === 'number'
              ? own[which - 1]
              : own.find(({ subject, link }) => which.test(subject) || which.test(link ?? ''))
          if (!mail) throw new Error(`no mail ${which} to ${email} yet, only ${own.length} others`)
          return mail
        },
        { timeout: 300_000, interval: 5 },
      )
    },
    logged,
    expectErrors: (pattern) => void expected.push(pattern),
    request,
    async register(given = {}) {
      const email = given.email ?? `${randomUUID().slice(0, 8)}@contoh.id`
      const person = { name: given.name ?? 'Sari', email, password: given.password ?? testPassword }
      await must(await request('/api/register', { json: { ...person, agreeToTerms: true, birthYear: 1990 } }))
      return person
    },
    async signIn(email, password, remember = false) {
      const headers: Record<string, string> = device ? { cookie: device } : {}
      const answer = await must(await request('/api/login', { json: { email, password, remember }, headers }))
      device = answer.headers.getSetCookie()[0]?.split(';')[0]
      return ((await answer.json()) as { access_token: string }).access_token
    },
    async canSignIn(email, password) {
      const token = await testApp.signIn(email, password).catch(() => undefined)
      return token !== undefined && (await request('/api/user/me', { token })).ok
    },
    async createUser(given = {}) {
      const user = await seedUser(deps, given)
      return { ...user, request: (path, init) => request(path, { token: user.token, ...init }), subscribe }
    },
    async registerAndVerify({ role, ...given } = {}) {
      const person = await testApp.register(given)
      const mail = await testApp.mailTo(person.email)
      await must(await request(new URL(mail.link as string).pathname))
      if (role) await deps.db.update(users).set({ role }).where(eq(users.email, person.email))
      const token = await testApp.signIn(person.email, person.password)
      const [user] = await deps.db.select({ id: users.id }).from(users).where(eq(users.email, person.email))
      return {
        ...person,
        id: user!.id,
        token,
        request: (path, init) => request(path, { token, ...init }),
        subscribe,
      }
    },
    async stop() {
      await composition.stop()
      await home.drop()
    },
  }
  return testApp
}
