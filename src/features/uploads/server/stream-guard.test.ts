import { expect, test } from 'vitest'
import { admitStream, guarded } from './stream-guard.ts'

const read = async (chunks: AsyncIterable<Uint8Array>) => {
  let bytes = 0
  for await (const chunk of chunks) bytes += chunk.length
  return bytes
}
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function* dripping(chunks: number, gap: number) {
  for (let sent = 0; sent < chunks; sent += 1) {
    await pause(gap)
    yield new Uint8Array(10)
  }
}

test('a sender that keeps sending is read to the end', async () => {
  expect(await read(guarded(dripping(5, 1)))).toBe(50)
})

test('a sender that stops is cut off', async () => {
  const limits = { idle: 20, window: { milliseconds: 60_000, bytes: 1 } }
  await expect(read(guarded(dripping(2, 60_000), limits))).rejects.toMatchObject({ code: 'request.timeout' })
})

test('a sender that sends too slowly is cut off', async () => {
  const limits = { idle: 10_000, window: { milliseconds: 20, bytes: 1000 } }
  await expect(read(guarded(dripping(1000, 5), limits))).rejects.toMatchObject({ code: 'request.timeout' })
})

test('with four slots, a single user with many uploads does not block the others', () => {
  const greedy = Array.from({ length: 4 }, () => admitStream('greedy', 4))
  expect(() => admitStream('greedy', 4)).toThrow('server.unavailable')
  const modest = admitStream('modest', 4)
  const another = admitStream('another', 4)
  expect(() => admitStream('greedy', 4)).toThrow('server.unavailable')
  for (const leave of [...greedy, modest, another]) leave()
  for (const leave of Array.from({ length: 16 }, () => admitStream('greedy'))) setTimeout(leave)
  expect(() => admitStream('greedy')).toThrow('upload.limit')
})
