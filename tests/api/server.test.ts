import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

test('says that it lives and that it is ready', async () => {
  expect((await app.request('/healthz')).status).toBe(200)
  expect((await app.request('/readyz')).status).toBe(200)
})
test('a person can register', async () => {
  const u = await app.registerAndVerify()
  expect((await u.request('/api/user/me')).status).toBe(200)
})
