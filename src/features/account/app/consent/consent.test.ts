import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#client/query.ts'
import { store } from '#client/session.ts'
import { ensureToolConsent, giveConsent } from './consent.ts'
import { answerQuestion, questionAtom } from './consent-question.ts'

const version = '2026-11'
const ensure = () => ensureToolConsent({ needsConsent: 'biometric' })

function serverWith(consent: { version: string; withdrawnAt: string | null } | null) {
  const state = { consent, reachable: true, asked: 0 }
  const answer = () =>
    Response.json({
      current: { biometric: version },
      items: state.consent ? [{ kind: 'biometric', givenAt: '2026-11-21T00:00:00Z', ...state.consent }] : [],
    })
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    if (!state.reachable) throw new TypeError('Failed to fetch')
    state.asked += 1
    if (init.method === 'POST') state.consent = { version: JSON.parse(String(init.body)).version, withdrawnAt: null }
    return answer()
  })
  return state
}

const shown = () => vi.waitFor(() => expect(store.get(questionAtom)).not.toBeNull(), 120_000)

beforeEach(() => queryClient.clear())
afterEach(() => {
  answerQuestion(false)
  vi.unstubAllGlobals()
})

test('a consent to the current text needs no dialog', async () => {
  serverWith({ version, withdrawnAt: null })
  expect(await ensure()).toBe(true)
  expect(store.get(questionAtom)).toBeNull()
})

test.each([
  ['none', null],
  ['one that was withdrawn', { version, withdrawnAt: '2026-11-21T01:00:00Z' }],
  ['one to an older text', { version: '2025-01', withdrawnAt: null }],
])('with %s the user is asked, and agreeing is recorded', async (_name, consent) => {
  const server = serverWith(consent)
  const agreed = ensure()
  await shown()
  await giveConsent('biometric', version)
  answerQuestion(true)
  expect(await agreed).toBe(true)
  expect(server.consent).toEqual({ version, withdrawnAt: null })
  expect(await ensure()).toBe(true)
})

test('a tool that processes faces asks for consent before it starts, another one starts at once', async () => {
  const server = serverWith(null)
  expect(await ensureToolConsent({})).toBe(true)
  expect(server.asked).toBe(0)
  for (const agrees of [false, true]) {
    const may = ensure()
    await shown()
    answerQuestion(agrees)
    expect(await may).toBe(agrees)
  }
})

test('without a connection the last known consent counts, and an unknown one is asked for', async () => {
  const server = serverWith({ version, withdrawnAt: null })
  await ensure()
  server.reachable = false
  expect(await ensure()).toBe(true)
  queryClient.clear()
  const agreed = ensure()
  await shown()
  answerQuestion(false)
  expect(await agreed).toBe(false)
})
