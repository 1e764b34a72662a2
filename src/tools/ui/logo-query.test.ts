import { beforeEach, expect, test, vi } from 'vitest'
import { watchConnection } from '#client/connection.ts'
import { queryClient } from '#client/query.ts'

const stored = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
vi.stubGlobal('localStorage', stored)
const listens = { addEventListener: () => undefined, location: { origin: 'https://rupa.example' } }
vi.stubGlobal('window', listens)
vi.stubGlobal('document', { ...listens, visibilityState: 'visible' })
vi.stubGlobal('navigator', { onLine: true })

let account: string | null
let sentLogos: (string | null)[]
let answer: (() => Promise<Response>) | null
vi.stubGlobal('fetch', async (path: string, { method = 'GET', body = '' }: RequestInit = {}) => {
  if (answer) return await answer()
  if (path !== '/api/user/logo' || method === 'HEAD') return new Response()
  if (method === 'GET') return Response.json({ picture: account })
  account = method === 'DELETE' ? null : JSON.parse(String(body)).picture
  sentLogos.push(account)
  return new Response(null, { status: 204 })
})
const unreachable = () => Promise.reject(new TypeError('Failed to fetch'))

let kept: unknown
const persister = {
  retrieveQuery: async () => kept,
  persistQueryByKey: async () => {
    kept = queryClient.getQueryData(['logo'])
  },
}
vi.mock('#client/query-store.ts', () => ({ persister }))

const { saveLogo, sendPendingLogo } = await import('./logo-query.ts')
beforeEach(() => {
  queryClient.clear()
  ;[account, sentLogos, answer, kept] = [null, [], null, undefined]
})

test('a logo that waited while the app was closed reaches the account when it starts', async () => {
  kept = { picture: 'mine', unsent: true }
  sendPendingLogo()()
  await vi.waitFor(() => expect(sentLogos).toEqual(['mine']), 120_000)
  expect(queryClient.getQueryData(['logo'])).toEqual({ picture: 'mine' })
})

test('a logo chosen without a connection reaches the account once there is one', async () => {
  vi.useFakeTimers()
  watchConnection(queryClient)
  const stop = sendPendingLogo()
  answer = unreachable
  await saveLogo('first')
  await saveLogo('second')
  expect(sentLogos).toEqual([])
  answer = null
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sentLogos).toEqual(['second'])
  stop()
  vi.useRealTimers()
})

test('a logo is reported as saved once the device has it, before the account does', async () => {
  const sent = Promise.withResolvers<Response>()
  answer = () => sent.promise
  const held = Promise.withResolvers<unknown>()
  const all = saveLogo('mine', () => held.resolve(kept))
  expect(await held.promise).toEqual({ picture: 'mine', unsent: true })
  sent.resolve(new Response(null, { status: 204 }))
  await all
})

test('the last of two chosen logos is kept', async () => {
  await Promise.all([saveLogo('first'), saveLogo('second'), saveLogo(null)])
  expect(account).toBeNull()
  expect(sentLogos.at(-1)).toBeNull()
})

test('a logo that the account refuses is reported, and not sent again', async () => {
  answer = async () => Response.json({ code: 'form.invalid' }, { status: 422 })
  await expect(saveLogo('too-large')).rejects.toMatchObject({ status: 422 })
  answer = null
  sendPendingLogo()()
  await queryClient.refetchQueries()
  expect(sentLogos).toEqual([])
})

test('a logo that the server cannot take now is sent again', async () => {
  answer = async () => new Response(null, { status: 503 })
  await expect(saveLogo('mine')).rejects.toMatchObject({ status: 503 })
  answer = null
  sendPendingLogo()()
  await vi.waitFor(() => expect(account).toBe('mine'), 120_000)
})
