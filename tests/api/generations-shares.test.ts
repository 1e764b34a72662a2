import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { createFakeEngine, fail, hang, succeed } from '../support/fake-engine.ts'
import {
  creditsOf,
  reached,
  readGeneration,
  refusal,
  stopOpenGenerations,
  submit,
  submitted,
} from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

const engine = createFakeEngine(4)
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ engine })
})
afterAll(() => app.stop())
afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const cancel = (user: TestUser, id: string) => user.request(`/api/generations/${id}/cancel`, { method: 'POST' })

test('a user runs two generations at once, however many threads are free', async () => {
  engine.behave(hang)
  const eager = await app.createUser()
  const other = await app.createUser()
  const [first, second, third] = [await submitted(eager), await submitted(eager), await submitted(eager)]
  await reached(eager, first.id, 'detecting')
  await reached(eager, second.id, 'detecting')
  await engine.began(2)

  // Each of these is dequeued after the third generation, and leaves a thread free.
  engine.behave(succeed)
  for (let count = 0; count < 3; count++) await reached(other, (await submitted(other)).id, 'succeeded')
  expect((await readGeneration(eager, third.id)).status).toBe('queued')

  await cancel(eager, first.id)
  await reached(eager, third.id, 'succeeded')
  await cancel(eager, second.id)
})

test('a user with fewer open generations goes first', async () => {
  engine.behave(hang, hang, hang, hang, succeed)
  const [eager, other] = [await app.createUser(), await app.createUser()]
  const before = engine.tasks.length
  const running: { user: TestUser; id: string }[] = []
  for (const user of [await app.createUser(), await app.createUser()]) {
    for (let count = 0; count < 2; count++) running.push({ user, id: (await submitted(user)).id })
  }
  await engine.began(before + 4)
  await submitted(eager, { params: { margin: 0.01 } })
  const last = await submitted(eager, { params: { margin: 0.02 } })
  await submitted(other, { params: { margin: 0.03 } })

  // One thread is free for all three.
  for (const { user, id } of running.splice(0, 1)) await cancel(user, id)
  await reached(eager, last.id, 'succeeded')
  for (const { user, id } of running) await cancel(user, id)
  expect(engine.tasks.slice(before + 4)).toMatchObject([0.01, 0.03, 0.02].map((margin) => ({ params: { margin } })))
})

test('a user with thirty failed generations in an hour has to wait, with all of them refunded', async () => {
  engine.behave(fail('engine.failed'))
  const [user, other] = [await app.createUser(), await app.createUser()]
  for (let round = 0; round < 6; round++) {
    const created = await Promise.all(Array.from({ length: 5 }, () => submitted(user)))
    for (const { id } of created) await reached(user, id, 'failed')
  }
  const refused = await submit(user)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  expect(await refusal(refused)).toEqual([429, 'request.rate_limited'])
  expect(await creditsOf(user)).toBe(25)

  engine.behave(succeed)
  await reached(other, (await submitted(other)).id, 'succeeded')
  app.clock.advance({ minutes: 61 })
  await reached(user, (await submitted(user)).id, 'succeeded')
})
