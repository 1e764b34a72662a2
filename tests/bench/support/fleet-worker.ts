// A worker with an engine that only waits. Reports its usage on request, and stops with its parent.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { compose } from '#server-app/compose.ts'
import { readConfig } from '#server-app/config.ts'
import { createFakeEngine, succeed } from '../../support/fake-engine.ts'

const generationMilliseconds = 100

let queries = 0
const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
  queries += 1
  return query.apply(this, args)
} as never

const engine = createFakeEngine(1)
engine.behave(async (task, options) => {
  await pause(generationMilliseconds)
  return succeed(task, options)
})
const worker = await compose(readConfig(process.env), pino({ level: 'silent' }), {
  engine,
  mailer: { send: async () => {} },
})
const used = () => {
  const { user, system } = process.cpuUsage()
  return { queries, processorSeconds: (user + system) / 1e6 }
}
process.on('message', async (asked) => {
  if (asked === 'used') return void process.send?.(used())
  await worker.stop()
  process.exit()
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
