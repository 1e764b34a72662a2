import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CreditBalance } from '#features/credits/schemas.ts'
import { creditAccounts, welcomedMailboxes } from '#features/credits/server/table.ts'
import { users } from '#server/auth/table.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { order } from '#tests/support/checkout.ts'
import { countHits } from '#tests/support/count-hits.ts'
import { creditsOf } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser, testPassword } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
afterEach(() => app.deps.db.delete(rateLimits))

const register = (email: string, from: string) =>
  app.request('/api/register', { json: { name: 'Sari', email, password: testPassword, agreeToTerms: true }, from })
async function credits(email: string): Promise<number> {
  const token = await app.signIn(email, testPassword)
  const response = await app.request('/api/user/myCredit', { token })
  return ((await response.json()) as { credits: number }).credits
}

const balanceOf = async (user: Pick<TestUser, 'request'>) =>
  (await (await user.request('/api/user/myCredit')).json()) as CreditBalance

describe('the welcome credits', () => {
  test('are granted once a mailbox, in any spelling of its address', async () => {
    const spellings = [
      'sari.dewi@gmail.com',
      'saridewi@gmail.com',
      's.aridewi+1@googlemail.com',
      'saridewi+2@gmail.com',
    ]
    const given = []
    for (const email of spellings) given.push(await creditsOf(await app.registerAndVerify({ email })))
    expect(given).toEqual([25, 0, 0, 0])
  })

  test('do not come again with an account that was deleted and opened anew', async () => {
    const email = 'kembali@contoh.id'
    const first = await app.registerAndVerify({ email })
    expect(await creditsOf(first)).toBe(25)
    const deleted = await first.request('/api/user/delete', { json: { password: first.password } })
    expect(deleted.status).toBe(204)
    app.mails.length = 0
    await app.register({ email })
    await app.request(new URL((await app.mailTo(email, /verify_email/)).link as string).pathname)
    expect(await credits(email)).toBe(0)
  })

  test('come once where several spellings are verified at the same time', async () => {
    const spellings = Array.from({ length: 5 }, (_, index) => `bersama+${index}@contoh.id`)
    const links = []
    for (const email of spellings) {
      await app.register({ email })
      links.push(new URL((await app.mailTo(email)).link as string).pathname)
    }
    await Promise.all(links.map((link) => app.request(link)))
    const given = []
    for (const email of spellings) given.push(await credits(email))
    expect(given.toSorted((a, b) => b - a)).toEqual([25, 0, 0, 0, 0])
  })

  test('are not granted to a disposable address, which may still open an account', async () => {
    expect(await creditsOf(await app.registerAndVerify({ email: 'sekali@mailinator.com' }))).toBe(0)
  })

  test.each(['sekali@sari.33mail.com', 'sekali@duck.com', 'sekali@aleeas.com'])(
    'are not granted to %s, of an alias service, which may open an account and gets an explanation',
    async (email) => {
      const user = await app.registerAndVerify({ email })
      expect(await balanceOf(user)).toMatchObject({ credits: 0, welcomeRefused: 'alias' })
      const bought = await order(user, { packageId: 'starter', method: 'bca' })
      expect(bought.status).toBe(201)
    },
  )

  test('are granted to three mailboxes of a domain a year, however many are registered at once', async () => {
    const strict = await createTestApp({ env: { WELCOMES_PER_DOMAIN: '3' } })
    try {
      const own = ['a@toko-sari.id', 'b@x.toko-sari.id', 'c@y.toko-sari.id', 'd@toko-sari.id', 'e@z.toko-sari.id']
      const public_ = Array.from({ length: 4 }, (_, index) => `orang${index}@gmail.com`)
      const links = []
      for (const email of [...own, ...public_]) {
        await strict.register({ email })
        links.push(new URL((await strict.mailTo(email)).link as string).pathname)
        await strict.deps.db.delete(rateLimits)
      }
      await Promise.all(links.map((link) => strict.request(link)))
      const found = await strict.deps.db
        .select({ email: users.email, balance: creditAccounts.balance, refused: creditAccounts.welcomeRefused })
        .from(creditAccounts)
        .innerJoin(users, eq(users.id, creditAccounts.userId))
      const of = (emails: string[]) =>
        found
          .filter(({ email }) => emails.includes(email))
          .map(({ balance, refused }) => [balance, refused])
          .sort()
      expect(of(own)).toEqual([...Array(2).fill([0, 'domain']), ...Array(3).fill([25, null])])
      expect(of(public_)).toEqual(Array(4).fill([25, null]))
      strict.clock.advance({ days: 366 })
      expect(await creditsOf(await strict.registerAndVerify({ email: 'f@toko-sari.id' }))).toBe(25)
    } finally {
      await strict.stop()
    }
  })

  test('that are not granted again are explained', async () => {
    await app.registerAndVerify({ email: 'dua@contoh.id' })
    const again = await app.registerAndVerify({ email: 'dua+lagi@contoh.id' })
    expect(await balanceOf(again)).toMatchObject({ credits: 0, welcomeRefused: 'mailbox' })
    const thrown = await app.registerAndVerify({ email: 'buang@mailinator.com' })
    expect(await balanceOf(thrown)).toMatchObject({ credits: 0, welcomeRefused: 'disposable' })
    expect(await balanceOf(await app.registerAndVerify({ email: 'satu@contoh.id' }))).toMatchObject({
      credits: 25,
      welcomeRefused: null,
    })
  })

  test('are granted to disposable addresses too if the operator allows it', async () => {
    const generous = await createTestApp({ env: { DISPOSABLE_EMAIL: 'welcomed' } })
    try {
      expect(await creditsOf(await generous.registerAndVerify({ email: 'sekali@mailinator.com' }))).toBe(25)
    } finally {
      await generous.stop()
    }
  })

  test('are remembered without the address', async () => {
    await app.registerAndVerify({ email: 'rahasia@contoh.id' })
    const kept = await app.deps.db.select().from(welcomedMailboxes)
    expect(kept.length).toBeGreaterThan(0)
    expect(JSON.stringify(kept)).not.toMatch(/@|rahasia/)
  })
})

describe('new accounts', () => {
  const statuses = async (rule: string, most: number, from: (index: number) => string) => {
    const { status } = await register(`orang0@${rule}.contoh.id`, from(0))
    await countHits(app.deps.db, `register:${rule}`, most - 2)
    const last = await register(`orang1@${rule}.contoh.id`, from(1))
    return [status, last.status, (await register(`orang2@${rule}.contoh.id`, from(2))).status]
  }

  test('are 40 an hour from one address', async () => {
    expect(await statuses('ip', 40, () => '203.0.113.5')).toEqual([201, 201, 429])
    expect((await register('lain@contoh.id', '203.0.113.6')).status).toBe(201)
  })

  test('are 120 an hour from one network, of IPv6 too', async () => {
    expect(await statuses('network', 120, (index) => `2001:db8:7:${index}::1`)).toEqual([201, 201, 429])
    expect((await register('lain2@contoh.id', '2001:db8:8::1')).status).toBe(201)
  })
})
