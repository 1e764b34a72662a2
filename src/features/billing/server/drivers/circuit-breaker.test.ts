import { expect, test } from 'vitest'
import { CircuitOpen, createCircuitBreaker } from './xendit/api.ts'

class Refused extends Error {}

function setUp() {
  const time = { now: 0 }
  const breaker = createCircuitBreaker({
    failures: 3,
    restMilliseconds: 1000,
    isFailure: (error) => !(error instanceof Refused),
    now: () => time.now,
  })
  let calls = 0
  const call = (error?: Error) =>
    breaker.run(async () => {
      calls += 1
      if (error) throw error
      return 'ok'
    })
  return { breaker, time, call, calls: () => calls }
}

const down = new Error('no answer')

test('a gateway that fails three times in a row is skipped until a single call succeeds again', async () => {
  const { breaker, time, call, calls } = setUp()
  for (let n = 0; n < 3; n += 1) await expect(call(down)).rejects.toBe(down)
  await expect(call()).rejects.toBeInstanceOf(CircuitOpen)
  expect([calls(), breaker.isOpen()]).toEqual([3, true])
  time.now = 1000
  await expect(call(down)).rejects.toBe(down)
  await expect(call()).rejects.toBeInstanceOf(CircuitOpen)
  time.now = 2000
  const [first, second] = await Promise.allSettled([call(), call()])
  expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected'])
  await expect(call()).resolves.toBe('ok')
  expect(breaker.isOpen()).toBe(false)
})

test('a refusal is not a failure, and failures that are not in a row do not add up', async () => {
  const { call } = setUp()
  for (let n = 0; n < 5; n += 1) await expect(call(new Refused())).rejects.toBeInstanceOf(Refused)
  for (let n = 0; n < 5; n += 1) {
    await expect(call(down)).rejects.toBe(down)
    await call()
  }
})

test('a gateway that asks for a pause gets it', async () => {
  const { breaker, time, call } = setUp()
  breaker.rest(5000)
  time.now = 4999
  await expect(call()).rejects.toBeInstanceOf(CircuitOpen)
  time.now = 5000
  await expect(call()).resolves.toBe('ok')
})
