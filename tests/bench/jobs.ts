import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { DatabaseLink } from '#server/db/keep-listening.ts'
import { queues } from '#server-app/registrations.ts'
import { createEnginePool, type EnginePool } from '#tools/threads/pool.ts'
import type { EngineTask } from '#tools/threads/task.ts'
import { startPostgres } from '../../src/scripts/postgres.mjs'
import { openEmbedded } from '../../src/server/db/embedded.ts'
import { GuardedPool } from '../../src/server/db/pool.ts'
import { createJobQueue } from '../../src/server/jobs/job-queue.ts'
import { photo } from '../support/composites.ts'
import { runTool } from '../support/run-tool.ts'

const rounds = 60
const log = pino({ level: 'silent' })
const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number
const milliseconds = (value: number) => `${value.toFixed(1)} ms`

async function latencies(link: DatabaseLink): Promise<number[]> {
  const queue = await createJobQueue(link, log, queues)
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
    const pool = new GuardedPool({ connectionString: postgres.url, max: 2 })
    report('PostgreSQL', await latencies({ url: postgres.url, pool }))
    await pool.end()
  } finally {
    postgres.stop()
  }
} else console.log('PostgreSQL: not found')

async function rerendering(pool: EnginePool): Promise<number> {
  const params = { background: { type: 'color', color: '#0090ff' }, format: 'webp' }
  const picture = [photo('astronaut.jpg')]
  const { kept } = await runTool(pool, 'background-removal', { inputs: { picture } })
  const times: number[] = []
  for (let round = 0; round < 12; round += 1) {
    const start = performance.now()
    await runTool(pool, 'background-removal', { params, inputs: { picture }, kept }, 'interactive')
    if (round >= 2) times.push(performance.now() - start)
  }
  return at(times, 0.5)
}

console.log('A rerendering while a generation of a minute computes in another lane')
const pool = createEnginePool({ size: 1, keepWarm: true, entry: new URL('./support/lanes-thread.ts', import.meta.url) })
try {
  const alone = await rerendering(pool)
  const stop = new AbortController()
  const started = Promise.withResolvers<void>()
  const burner: EngineTask = { step: 'generate', tool: 'burner', params: {}, inputs: {} }
  const long = pool.run(burner, {
    lane: 'video',
    timeLimit: 60_000,
    signal: stop.signal,
    onProgress: () => started.resolve(),
  })
  long.catch(() => {})
  await started.promise
  const beside = await rerendering(pool)
  stop.abort()
  const delay = `${milliseconds(beside - alone)} later (limit 100 ms)`
  console.log(`alone ${milliseconds(alone)}, beside it ${milliseconds(beside)}: ${delay}`)
} finally {
  await pool.close()
}
