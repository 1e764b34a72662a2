import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('a metric that cannot be read in time is left out, and all others are reported', async () => {
  const gauge = (name: string, read: () => Promise<{ labels: Record<string, string>; value: number }[]>) => ({
    name,
    help: name,
    labels: [],
    read,
  })
  const metrics = createMetrics()
  metrics.add(undefined, [
    gauge('away', async () => Promise.reject(new Error('connection refused'))),
    gauge('hanging', () => new Promise(() => {})),
    gauge('well', async () => [{ labels: {}, value: 7 }]),
  ])
  const { body } = await metrics.text()
  expect(body).toContain('process_resident_memory_bytes')
  expect(body).toMatch(/^well 7$/m)
  expect(body).not.toMatch(/^(away|hanging) /m)
})
