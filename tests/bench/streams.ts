// A thousand event streams beside 200 mixed calls a second, at two web processes behind nginx.
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { openDatabase } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { readConfig } from '#server-app/config.ts'
import { startFleet } from '../support/fleet.ts'
import { seedUser } from '../support/seed-user.ts'
import { createClient } from './load/client.ts'
import { type EventReader, readEvents } from './load/event-reader.ts'
import { createMeasure } from './load/measure.ts'

const [people, streamsEach] = [100, 10]
const callsPerSecond = Number(process.env.CALLS ?? 200)
const seconds = Number(process.env.SECONDS ?? 30)

const fleet = await startFleet({ webs: 2, workers: 1 })
if (!fleet) process.exit(0)
const readers: EventReader[] = []
try {
  const env = { DATABASE_URL: fleet.postgres.url, JWT_SECRET: 'j'.repeat(32), FILE_SIGNING_KEY: 'f'.repeat(32) }
  const config = readConfig({ ...env, MAILBOX_KEY: 'm'.repeat(32), PUBLIC_URL: fleet.url })
  const { db, close } = await openDatabase(config, pino({ level: 'silent' }))
  const measure = createMeasure()
  const quiet = createMeasure()
  const clients = []
  for (let index = 0; index < people; index += 1) {
    const user = await seedUser({ db, config, clock: () => new Date() }, {})
    const address = `10.1.${index >> 4}.${(index & 15) + 1}`
    const client = createClient(fleet.url, address, measure)
    client.token = user.token
    clients.push({ client, id: user.id })
    const reader = createClient(fleet.url, address, quiet)
    reader.token = user.token
    for (let stream = 0; stream < streamsEach; stream += 1) readers.push(readEvents(reader))
  }
  while (readers.some((reader) => reader.connections() === 0)) await pause(200)
  console.log(`${readers.length} event streams are open`)

  const paths = [
    '/api/user/myCredit',
    '/api/generations?limit=20',
    '/api/user/me',
    '/api/tools?schemas=none',
    '/api/orders',
    '/',
  ]
  const calls: Promise<unknown>[] = []
  const begin = performance.now()
  for (let sent = 0; sent < callsPerSecond * seconds; sent += 1) {
    await pause(Math.max(0, begin + (sent * 1000) / callsPerSecond - performance.now()))
    const { client, id } = clients[sent % people] as (typeof clients)[number]
    const path = paths[sent % paths.length] as string
    calls.push(client.ask(`GET ${path.split('?')[0]}`, path).catch(() => {}))
    // Ten changes a second, each for ten devices.
    if (sent % (callsPerSecond / 10) === 0) await publish(db, { kind: 'credits', userId: id })
  }
  await Promise.all(calls)
  const took = (performance.now() - begin) / 1000
  const { requests, failed } = measure.total()
  const again = readers.reduce((sum, reader) => sum + reader.connections() - 1, 0)
  console.log(`\n${measure.table()}\n`)
  console.log(`${(requests / took).toFixed(0)} calls a second, ${failed} failed, ${again} streams broke`)
  console.log(`p95 ${measure.percentile(0.95).toFixed(0)} ms (aim ≤ 150)`)
  await close()
} finally {
  for (const reader of readers) reader.close()
  await fleet.stop()
}
