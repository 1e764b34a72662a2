import { expect, test } from 'vitest'
import { createEventParser, reconnectDelay, type StreamEvent } from './event-stream.ts'

function parse(...chunks: string[]) {
  const events: StreamEvent[] = []
  const feed = createEventParser((event) => events.push(event))
  for (const chunk of chunks) feed(chunk)
  return events
}

test('an event arrives whole however the network cuts the stream', () => {
  const stream = 'id: 7\r\nevent: generation\r\ndata: {"a":1,\r\ndata: "b":2}\r\n\r\n'
  const whole = parse(stream)
  expect(whole).toEqual([{ event: 'generation', data: '{"a":1,\n"b":2}', id: '7' }])
  for (let cut = 1; cut < stream.length; cut++) expect(parse(stream.slice(0, cut), stream.slice(cut))).toEqual(whole)
})

test('comments keep the connection alive without making events', () => {
  expect(parse(': ping\n\n', ':\n', 'data: x\n\n')).toEqual([{ event: 'message', data: 'x', id: null }])
})

test('an id holds for later events and an event without data is dropped', () => {
  expect(parse('id: 3\n\ndata: a\n\nevent: x\n\ndata: b\n\n').map(({ id, event }) => [id, event])).toEqual([
    ['3', 'message'],
    ['3', 'message'],
  ])
})

test('waiting times double up to half a minute and never fall in step', () => {
  expect([0, 1, 2, 9].map((attempt) => reconnectDelay(attempt, () => 0.5))).toEqual([1000, 2000, 4000, 30_000])
  expect(reconnectDelay(3, () => 0)).toBeLessThan(reconnectDelay(3, () => 0.99))
})
