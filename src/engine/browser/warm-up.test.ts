import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import type { EngineHost } from '../host.ts'
import { drawFigure, warmUpHost } from './single-figure.ts'

test('a warm-up ends at the next model call after a picture arrives', async () => {
  const picture = drawFigure(30, 40)
  const arrival = new AbortController()
  let asked = 0
  const host = {
    signal: arrival.signal,
    async personMask() {
      asked += 1
      return createPlane(256, 256)
    },
  } as unknown as EngineHost
  const rehearsal = warmUpHost(host)
  await rehearsal.personMask(picture)
  const next = rehearsal.personMask(picture)
  // A message from the page is a task like this timeout.
  setTimeout(() => arrival.abort(), 0)
  await expect(next.then(() => rehearsal.personMask(picture))).rejects.toThrow(/abort/i)
  expect(asked).toBeLessThanOrEqual(2)
})
