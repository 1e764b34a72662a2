import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { startPostgres } from '../../src/dev/postgres.mjs'
import { openEmbedded } from '../../src/server/db/embedded.ts'
import type { DatabaseLink } from '../../src/server/jobs/database-link.ts'
import { createJobQueue } from '../../src/server/jobs/job-queue.ts'

const rounds = 60
const log = pino({ level: 'silent' })
const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number
const milliseconds = (value: number) => `${value.toFixed(1)} ms`

/** From calling send to the first line of the handler, one job after the other on an idle queue. */
async function latencies(link: DatabaseLink): Promise<number[]> {
  const queue = await createJobQueue(link, log)
  let started = (_id: string) => {}
  await queue.work('run-generation', 2, async ({ generationId }) => started(generationId))
  const times: number[] = []
  for (let round = 0; round < rounds + 5; round += 1) {
    const begin = Promise.withResolvers<void>()
    started = () => begin.resolve()
    const start = performance.now()
    await queue.send('run-generation', { generationId: randomUUID() })
    await begin.promise
    if (round >= 5) times.push(performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
  await queue.stop()
  return times
}

function report(name: string, times: number[]): void {
  const parts = [`median ${milliseconds(at(times, 0.5))}`, `95 % ${milliseconds(at(times, 0.95))}`]
  console.log(`${name.padEnd(14)} ${parts.join(', ')}; median ÷ limit of 50 ms: ${(at(times, 0.5) / 50).toFixed(2)}`)
}

console.log('From sending a job to its start, on an idle queue')
const folder = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const embedded = await openEmbedded(folder, log, () => process.exit(1))
report('embedded', await latencies({ pglite: embedded.pglite }))
await embedded.close()
rmSync(folder, { recursive: true, force: true })

const postgres = await startPostgres()
if (postgres) {
  try {
    report('PostgreSQL', await latencies({ url: postgres.url }))
  } finally {
    postgres.stop()
  }
} else console.log('PostgreSQL: not found')
