import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const fetched = vi.fn(async (_url: string, _init: RequestInit) => new Response(null, { status: 204 }))
beforeEach(() => {
  vi.resetModules()
  fetched.mockClear()
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => vi.unstubAllGlobals())

const bodies = () => fetched.mock.calls.map(([, init]) => JSON.parse(String(init.body)))

test('uncaught errors are reported by name, message and position in the build', async () => {
  const { reportUncaught } = await import('./report-error.ts')
  const scope = new EventTarget()
  reportUncaught('page', scope)
  const error = Object.assign(new TypeError('x is undefined'), {
    stack: 'at a (https://rupa.test/assets/main-Ab1.js:3:14)',
  })
  scope.dispatchEvent(Object.assign(new Event('error'), { error }))
  expect(bodies()).toEqual([{ part: 'page', message: 'TypeError: x is undefined', place: 'main-Ab1.js:3:14' }])
})

test('broken connections and refusals are not reported, and repeated errors only five times', async () => {
  const { reportError } = await import('./report-error.ts')
  reportError('worker', Object.assign(new Error('gone'), { name: 'NetworkError' }))
  reportError('worker', 'a text')
  expect(fetched).not.toHaveBeenCalled()
  for (let n = 0; n < 20; n += 1) reportError('worker', new Error('again'))
  expect(fetched).toHaveBeenCalledTimes(5)
})
