import { expect, test, vi } from 'vitest'
import { reportVisit } from './report-visit.ts'

test('a device reports a visit once a day, marks its first one, and automated browsers report nothing', async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  const sent: unknown[] = []
  let ok = false
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    return { ok }
  })
  vi.useFakeTimers({ now: new Date('2026-03-01T16:00:00Z') })
  vi.stubGlobal('navigator', { webdriver: true })
  await reportVisit()
  vi.stubGlobal('navigator', { webdriver: false })
  await reportVisit()
  // A failed report is sent again.
  ok = true
  await reportVisit()
  await reportVisit()
  expect(sent).toEqual([{ first: true }, { first: true }])
  // Midnight in western Indonesia.
  vi.setSystemTime(new Date('2026-03-01T17:00:00Z'))
  await reportVisit()
  expect(sent.slice(2)).toEqual([{ first: false }])
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
