import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { createLog, reasonOf } from '#server/log.ts'
import { readableLine } from '#server/readable-log.ts'

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

test('lines for people have time, level, what happened and its fields; an error stands below with where it was thrown', () => {
  const cause = new Error('connection refused')
  const json = logged((log) => log.error({ queue: 'send-mail', err: new Error('no mail', { cause }) }, 'a job failed'))
  const text = stripVTControlCharacters(readableLine(json))
  expect(text).toMatch(/^\d\d:\d\d:\d\d ERROR a job failed queue=send-mail\n +no mail\n +at .*\n/)
  expect(text).toContain('connection refused')
})

test('what was thrown is logged, whatever it was, without the addresses of people', () => {
  expect(reasonOf(new Error('550 <sari@contoh.id> is unknown'))).toBe('550 <…@…> is unknown')
  expect(reasonOf('out of paper')).toBe('out of paper')
  expect(reasonOf({ message: 'lost' })).toBe('lost')
  expect(reasonOf({ code: 7 })).toBe('an object with code')
  expect(reasonOf(null)).toBe('null')
})
