import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorReports } from '#features/error-reports/types.ts'
import { refusal } from '../support/submit.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

const report = (json: object, from = '203.0.113.7') => app.request('/api/error_reports', { json, from })
const listed = async () => {
  const admin = await app.createUser({ role: 'admin' })
  return ((await (await admin.request('/api/admin/error_reports')).json()) as ErrorReports).items
}

test('errors of devices are counted by what and where, without what could be content', async () => {
  const fault = {
    part: 'page',
    message:
      'TypeError: "Foto liburan" of sari@contoh.id at https://rupa.test/reset-password/abc is undefined 12345678',
    place: 'at secret (https://rupa.test/assets/main-Ab1.js:3:14) at https://rupa.test/history?q=sari',
  }
  for (let n = 0; n < 3; n += 1) expect((await report(fault)).status).toBe(204)
  await report({ ...fault, part: 'worker' })
  const items = await listed()
  expect(items.map(({ part, count }) => [part, count]).sort()).toEqual([
    ['page', 3],
    ['worker', 1],
  ])
  expect(items[0]).toMatchObject({ place: 'main-Ab1.js:3:14', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
  for (const word of ['liburan', 'sari', 'reset-password', '12345678'])
    expect(JSON.stringify(items)).not.toContain(word)
})

test('few are taken from one address, and the rest is dropped in silence', async () => {
  for (let n = 0; n < 30; n += 1) {
    const { status } = await report({ part: 'page', message: `Error: number ${n}`, place: '' }, '203.0.113.8')
    expect(status).toBe(204)
  }
  const taken = (await listed()).filter(({ message }) => message.startsWith('Error: number'))
  expect(taken).toHaveLength(20)
})

test('what is no report is refused, and only admins read them', async () => {
  expect(await refusal(await report({ part: 'page', message: 'x'.repeat(301), place: '' }))).toEqual([
    422,
    'form.invalid',
  ])
  const user = await app.createUser()
  expect(await refusal(await user.request('/api/admin/error_reports'))).toEqual([403, 'auth.forbidden'])
})
