import { and, eq, isNotNull, lt } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { generations } from '#features/generations/server/table.ts'
import { storageLimits, uploadLimits } from '#features/uploads/rules.ts'
import { uploads as rows, storedFiles } from '#features/uploads/server/table.ts'
import { createFakeEngine } from '../support/fake-engine.ts'
import { makePicture, reached, refusal, submit, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { beginUpload } from '../support/upload.ts'

const megabyte = 1024 ** 2
const full = [409, 'upload.no_space']

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine() })
})
afterAll(() => app.stop())
beforeEach(async () => {
  user = await app.createUser()
})

const insertUpload = (bytes: number, usedAt: Date | null = null) =>
  app.deps.db.insert(rows).values({
    id: crypto.randomUUID(),
    userId: user.id,
    name: '',
    bytes,
    usedAt,
    createdAt: app.clock.now(),
    expiresAt: new Date(app.clock.now().getTime() + 3_600_000),
  })

test('all files stored for a user count, used or not', async () => {
  const { id, credits } = await submitted(user)
  await reached(user, id, 'succeeded')
  const files = await app.deps.db
    .update(storedFiles)
    .set({ bytes: 50 })
    .where(isNotNull(storedFiles.userId))
    .returning()
  const space = storageLimits.bytes + credits * storageLimits.bytesPerCredit
  await insertUpload(space - 300 - 50 * files.length, app.clock.now())
  const attachment = { storageKey: 'custom-edits/attachment', bytes: 100 }
  await app.deps.db.insert(storedFiles).values({ ...attachment, userId: user.id, createdAt: app.clock.now() })
  expect(await refusal(await beginUpload(user, 201))).toEqual(full)
  expect((await beginUpload(user, 150)).status).toBe(201)
  expect(await refusal(await beginUpload(user, 51))).toEqual(full)
  expect((await beginUpload(await app.createUser(), 51)).status).toBe(201)
})

test('credits spent on results increase the space', async () => {
  const { id, credits } = await submitted(user)
  await reached(user, id, 'succeeded')
  await insertUpload(storageLimits.bytes)
  const space = credits * storageLimits.bytesPerCredit
  for (let used = 0; used + 20 * megabyte < space; used += 20 * megabyte) {
    expect((await beginUpload(user, 20 * megabyte)).status).toBe(201)
  }
  expect(await refusal(await beginUpload(user, 20 * megabyte))).toEqual(full)
})

test('a generation is refused, without a charge, when there is no space for its files', async () => {
  const picture = await makePicture()
  await insertUpload(storageLimits.bytes - picture.length, app.clock.now())
  expect(await refusal(await submit(user, { image: picture }))).toEqual(full)
  expect(await app.deps.db.$count(generations, eq(generations.userId, user.id))).toBe(0)
  expect(
    await app.deps.db.$count(ledgerEntries, and(eq(ledgerEntries.userId, user.id), lt(ledgerEntries.amount, 0))),
  ).toBe(0)
})

test('60 large uploads begun at once stay within the space of a user', async () => {
  const size = 100 * megabyte
  const begun = await Promise.all(Array.from({ length: 60 }, () => beginUpload(user, size, 'film.mp4', 'video/mp4')))
  expect(begun.filter(({ status }) => status === 201)).toHaveLength(Math.floor(storageLimits.bytes / size))
  expect(begun.filter(({ status }) => status >= 500)).toEqual([])
})

test('small uploads, begun 50 at once, stay within the limit of unused ones', async () => {
  let begun = 0
  for (let round = 0; round < 5; round++) {
    const responses = await Promise.all(Array.from({ length: 50 }, () => beginUpload(user, 1)))
    begun += responses.filter(({ status }) => status === 201).length
  }
  expect(begun).toBe(uploadLimits.unused)
  expect(await refusal(await beginUpload(user, 1))).toEqual([429, 'upload.limit'])
})

test('forms sent at once are accepted only while they fit together', async () => {
  const picture = await makePicture()
  await insertUpload(storageLimits.bytes - 20 * picture.length, app.clock.now())
  const sent = await Promise.all(Array.from({ length: 30 }, () => submit(user, { image: picture })))
  const stored = await app.deps.db.select().from(rows)
  expect(sent.some(({ status }) => status === 409)).toBe(true)
  expect(stored.filter(({ userId }) => userId === user.id)).toHaveLength(1)
})
