import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog, readableLine, reasonOf } from '#server/log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('info', { write: (line) => lines.push(line) }))
  return lines.join('')
}

test('lines for machines have an ISO time and the level’s name', () => {
  const entry = JSON.parse(logged((log) => log.warn({ route: '/api/user/me' }, 'request')))
  expect(entry).toEqual({ level: 'warn', time: expect.any(String), route: '/api/user/me', msg: 'request' })
  expect(new Date(entry.time).toISOString()).toBe(entry.time)
})

test('lines for a terminal have time, level, event and its fields; an error stands below with its stack', () => {
  const cause = new Error('connection refused')
  const json = logged((log) => log.error({ queue: 'send-mail', err: new Error('no mail', { cause }) }, 'a job failed'))
  const text = stripVTControlCharacters(readableLine(json))
  expect(text).toMatch(/^\d\d:\d\d:\d\d ERROR a job failed queue=send-mail\n +no mail\n +at .*\n/)
  expect(text).toContain('connection refused')
})

test('any thrown value is logged, without e-mail addresses', () => {
  expect(reasonOf(new Error('550 <sari@contoh.id> is unknown'))).toBe('550 <…@…> is unknown')
  expect(reasonOf('out of paper')).toBe('out of paper')
  expect(reasonOf({ message: 'lost' })).toBe('lost')
  expect(reasonOf({ code: 7 })).toBe('an object with code')
  expect(reasonOf(null)).toBe('null')
})

test('failures of an unreachable service are logged once, and all others every time', () => {
  const refused = (port: number) =>
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED', address: '127.0.0.1', port })
  const text = logged((log) => {
    for (let n = 0; n < 5; n += 1) {
      log.error({ err: new Error('Failed query', { cause: refused(5432) }), task: `task ${n}` }, 'repeated task failed')
      log.warn({ err: Object.assign(new Error('cut'), { code: '57P01' }) }, 'a database connection was lost')
      log.error({ err: { message: `connect ECONNREFUSED 127.0.0.1:5432 (Queue: ${n})` } }, 'job queue')
    }
    log.error({ err: refused(25) }, 'the mail server does not answer')
    log.error({ err: new Error('a bug') }, 'request failed')
    log.error({ err: new Error('a bug') }, 'request failed')
  })
  const messages = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
  expect(messages).toEqual([
    'repeated task failed',
    'a database connection was lost',
    'the mail server does not answer',
    'request failed',
    'request failed',
  ])
})

test('an outage is logged again after a minute, with the number of omitted lines', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lost = Object.assign(new Error('cut'), { code: '57P01' })
  const text = logged((log) => {
    for (let n = 0; n < 4; n += 1) log.error({ err: lost }, 'repeated task failed')
    vi.advanceTimersByTime(61_000)
    log.error({ err: lost }, 'repeated task failed')
  })
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ leftOut }) => leftOut)).toEqual([undefined, 3])
})
