import { eq } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fairUsePerDay } from '#features/credits/rules.ts'
import { expireAllLots, grantWelcome } from '#features/credits/server/contributions.ts'
import { credits } from '#features/credits/server/credits.ts'
import { creditAccounts, creditLots, ledgerEntries } from '#features/credits/server/table.ts'
import { generations } from '#features/generations/server/table.ts'
import { users } from '#server/auth/table.ts'
import { type OpenDatabase, openDatabase } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { AppError } from '#server/http/app-error.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'

const day = 86_400_000
const start = new Date('2026-11-21T03:00:00Z')
let home: ServerHome
let opened: OpenDatabase
let now = start
let userId = ''

beforeAll(async () => {
  home = await createServerHome()
  opened = await openDatabase(home, pino({ level: 'silent' }), () => {})
})

afterAll(async () => {
  await opened.close()
  await home.drop()
})

beforeEach(async () => {
  now = start
  userId = crypto.randomUUID()
  await opened.db.insert(users).values({ id: userId, name: 'Sari', email: `${userId}@example.com`, createdAt: now })
})

async function charge(price: number, id = crypto.randomUUID()) {
  await transact(opened.db, async (tx) => {
    const paid = await credits.charge(tx, {
      userId,
      generationId: id,
      tool: 'background-removal',
      unit: price,
      credits: price,
      now,
    })
    await tx.insert(generations).values({
      id,
      userId,
      tool: paid.tool,
      params: {},
      credits: paid.credits,
      idempotencyKey: id,
      contentHash: '',
      createdAt: now,
      expiresAt: now,
    })
  })
  return id
}

async function refund(generationId: string) {
  return transact(opened.db, async (tx) => {
    await tx.update(generations).set({ status: 'failed' }).where(eq(generations.id, generationId))
    return credits.refund(tx, { userId, generationId, now })
  })
}

const give = (amount: number, days: number, key = crypto.randomUUID() as string) =>
  transact(opened.db, (tx) =>
    credits.grant(tx, {
      userId,
      kind: 'purchase',
      source: 'package',
      amount,
      expiresAt: new Date(now.getTime() + days * day),
      uniqueKey: key,
      now,
    }),
  )

const balance = () => credits.balance(opened.db, userId, now)
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => (error instanceof AppError ? error.code : Promise.reject(error)),
  )

describe('credits', () => {
  test('are granted as welcome once, however often and concurrently', async () => {
    const given = await Promise.all(
      Array.from({ length: 5 }, () =>
        transact(opened.db, (tx) =>
          grantWelcome(tx, {
            userId,
            mailbox: { hash: userId, domain: undefined },
            amount: 25,
            perDomain: 3,
            now,
          }),
        ),
      ),
    )
    expect(given.filter(Boolean)).toHaveLength(1)
    expect(await balance()).toEqual({
      credits: 25,
      given: 25,
      unlimitedUntil: null,
      grants: [{ remaining: 25, source: 'welcome', expiresAt: new Date(now.getTime() + 30 * day).toISOString() }],
      welcomeRefused: null,
      updatedAt: now.toISOString(),
    })
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('of a user who never had any are zero, and nothing can be bought with them', async () => {
    expect((await balance()).credits).toBe(0)
    expect(await refusal(charge(5))).toBe('credits.insufficient')
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('are taken from the lots that expire first, and the entry keeps the price', async () => {
    await give(10, 30)
    await give(4, 5)
    await give(6, 90)
    const id = await charge(12)
    expect((await balance()).grants.map((lot) => lot.remaining)).toEqual([2, 6])
    expect(await balance()).toMatchObject({ credits: 8, given: 20 })
    const [entry] = await opened.db
      .select()
      .from(ledgerEntries)
      .where(eq(ledgerEntries.uniqueKey, `generation:${id}`))
    expect(entry).toMatchObject({
      kind: 'generation',
      amount: -12,
      balanceAfter: 8,
      subjectId: id,
      price: { tool: 'background-removal', unit: 12, credits: 12 },
    })
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('can be spent to the last one, and not beyond', async () => {
    await give(10, 30)
    await charge(10)
    expect((await balance()).credits).toBe(0)
    expect(await refusal(charge(1))).toBe('credits.insufficient')
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('suffice for exactly 50 of 80 charges at once', async () => {
    await give(120, 30)
    await give(130, 60)
    const outcomes = await Promise.all(Array.from({ length: 80 }, () => refusal(charge(5))))
    expect(outcomes.filter((code) => code === undefined)).toHaveLength(50)
    expect(outcomes.filter((code) => code === 'credits.insufficient')).toHaveLength(30)
    expect((await balance()).credits).toBe(0)
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('are charged once a generation, with any repetitions', async () => {
    await give(50, 30)
    const id = crypto.randomUUID()
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => charge(5, id)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await balance()).credits).toBe(45)
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('that have expired cannot be spent, and leave the ledger with an entry a lot', async () => {
    await give(10, 1)
    await give(7, 2)
    await give(3, 40)
    now = new Date(start.getTime() + 3 * day)
    expect((await balance()).credits).toBe(3)
    expect(await refusal(charge(5))).toBe('credits.insufficient')
    await charge(3)
    const entries = await opened.db
      .select()
      .from(ledgerEntries)
      .where(eq(ledgerEntries.userId, userId))
      .orderBy(ledgerEntries.id)
    expect(entries.map(({ kind, amount, balanceAfter }) => [kind, amount, balanceAfter])).toEqual([
      ['purchase', 10, 10],
      ['purchase', 7, 17],
      ['purchase', 3, 20],
      ['expiry', -10, 10],
      ['expiry', -7, 3],
      ['generation', -3, 0],
    ])
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('expire by the sweeper once, also when two sweep at the same time', async () => {
    await give(10, 1)
    await give(3, 40)
    now = new Date(start.getTime() + 2 * day)
    const deps = { db: opened.db, clock: () => now }
    await Promise.all([expireAllLots(deps), expireAllLots(deps)])
    expect(await expireAllLots(deps)).toBe(0)
    const [account] = await opened.db.select().from(creditAccounts).where(eq(creditAccounts.userId, userId))
    expect(account?.balance).toBe(3)
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('go back to the lots they came from, once', async () => {
    await give(4, 10)
    await give(10, 30)
    const id = await charge(9)
    expect(await Promise.all([refund(id), refund(id), refund(id)])).toContain(9)
    expect(await refund(id)).toBe(0)
    expect((await balance()).grants.map((lot) => lot.remaining)).toEqual([4, 10])
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('are never returned expired: those of a lot that ends within a week last a week', async () => {
    await give(4, 3)
    await give(10, 30)
    const id = await charge(9)
    now = new Date(start.getTime() + 5 * day)
    expect(await refund(id)).toBe(9)
    const { grants: lots } = await balance()
    expect(lots).toEqual([
      { remaining: 4, source: 'refund', expiresAt: new Date(now.getTime() + 7 * day).toISOString() },
      { remaining: 10, source: 'package', expiresAt: new Date(start.getTime() + 30 * day).toISOString() },
    ])
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('cannot be kept for ever by generating and cancelling: a lot is extended once', async () => {
    await give(10, 3)
    await refund(await charge(10))
    const end = new Date(start.getTime() + 7 * day).toISOString()
    for (const days of [1, 3, 6]) {
      now = new Date(start.getTime() + days * day)
      await refund(await charge(10))
      expect((await balance()).grants).toEqual([{ remaining: 10, source: 'refund', expiresAt: end }])
    }
    const kept = await charge(4)
    now = new Date(start.getTime() + 8 * day)
    expect(await refund(kept)).toBe(4)
    expect((await balance()).credits).toBe(0)
    await expireAllLots({ db: opened.db, clock: () => now })
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('of several refunds to a lot last as long as its first one', async () => {
    await give(20, 2)
    const [first, second] = [await charge(5), await charge(5)]
    await refund(first)
    now = new Date(start.getTime() + day)
    await refund(second)
    expect((await balance()).grants).toEqual([
      { remaining: 10, source: 'package', expiresAt: new Date(start.getTime() + 2 * day).toISOString() },
      { remaining: 10, source: 'refund', expiresAt: new Date(start.getTime() + 7 * day).toISOString() },
    ])
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('cost nothing under an unlimited package, and the entry records it', async () => {
    await give(5, 30)
    await opened.db
      .update(creditAccounts)
      .set({ unlimitedUntil: new Date(now.getTime() + day) })
      .where(eq(creditAccounts.userId, userId))
    const id = await charge(10)
    expect(await balance()).toMatchObject({ credits: 5, unlimitedUntil: new Date(now.getTime() + day).toISOString() })
    const [entry] = await opened.db
      .select()
      .from(ledgerEntries)
      .where(eq(ledgerEntries.uniqueKey, `generation:${id}`))
    expect(entry).toMatchObject({ amount: 0, balanceAfter: 5, price: { credits: 10, unlimited: true } })
    expect(await refund(id)).toBe(0)
    now = new Date(now.getTime() + 2 * day)
    expect(await refusal(charge(10))).toBe('credits.insufficient')
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('are kept in a ledger that refuses to be edited', async () => {
    await give(5, 30)
    const change = opened.db.update(ledgerEntries).set({ amount: 500 }).where(eq(ledgerEntries.userId, userId))
    await expect(change).rejects.toMatchObject({ cause: { message: expect.stringContaining('append-only') } })
    await expect(opened.db.delete(ledgerEntries)).rejects.toThrow()
  })

  test('that are missing in the ledger are found by reconciliation', async () => {
    await give(5, 30)
    await opened.db.update(creditLots).set({ remaining: 4 }).where(eq(creditLots.userId, userId))
    const found = await findLedgerProblems(opened.db)
    expect(new Set(found.map(({ what }) => what))).toEqual(new Set(['account', 'grant']))
    await opened.db.update(creditLots).set({ remaining: 5 }).where(eq(creditLots.userId, userId))
    expect(await findLedgerProblems(opened.db)).toEqual([])
  })

  test('under an unlimited package are held to fair use in any 24 hours', async () => {
    await opened.db
      .insert(creditAccounts)
      .values({ userId, unlimitedUntil: new Date(now.getTime() + 30 * day), updatedAt: now })
    await opened.db.insert(ledgerEntries).values(
      Array.from({ length: fairUsePerDay }, (_, index) => ({
        userId,
        kind: 'generation' as const,
        amount: 0,
        balanceAfter: 0,
        uniqueKey: `generation:${crypto.randomUUID()}`,
        price: { tool: 'background-removal', unit: 5, credits: 5, unlimited: true as const },
        createdAt: new Date(now.getTime() + index * 1000),
      })),
    )
    now = new Date(start.getTime() + 3_600_000)
    await expect(charge(5)).rejects.toMatchObject({ code: 'credits.fair_use', retryAfter: 23 * 3600 })
    now = new Date(start.getTime() + day + 1000)
    await charge(5)
  })
})
