import { expect, test } from 'vitest'
import { readLimited, TooLarge } from './read-limited.ts'

test('a body is read up to its limit only, even if its header claims fewer bytes', async () => {
  let pulled = 0
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(100))
        if (++pulled === 50) controller.close()
      },
    })
  expect(await readLimited(new Response(body()), 5000)).toHaveLength(5000)
  pulled = 0
  await expect(readLimited(new Response(body()), 999)).rejects.toThrow(TooLarge)
  expect(pulled).toBeLessThan(20)
  await expect(readLimited(new Response('x', { headers: { 'content-length': '1000' } }), 999)).rejects.toThrow(TooLarge)
})
