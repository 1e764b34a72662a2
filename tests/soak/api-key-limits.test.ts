import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { ApiKeyCreated } from '#features/account/api-key-schemas.ts'
import { creditLots } from '#features/credits/server/table.ts'
import { openDatabase } from '#server/db/database.ts'
import { readConfig } from '#server-app/config.ts'
import { findLedgerProblems } from '../support/audit-books.ts'
import { startS3Double } from '../support/s3-double.ts'
import { testPassword as password, seedUser } from '../support/seed-user.ts'
import { createServerHome } from '../support/server-home.ts'
import { startServerProcess } from '../support/server-process.ts'
import { makePicture } from '../support/submit.ts'

const shared = {
  JWT_SECRET: 'j'.repeat(32),
  FILE_SIGNING_KEY: 'f'.repeat(32),
  MAILBOX_KEY: 'm'.repeat(32),
  PUBLIC_URL: 'http://localhost:3000',
}

test.runIf(process.env.TEST_DATABASE_URL)(
  'a hundred parallel calls on two servers spend no more than the daily limit of their key, and a revoked key fails on both',
  async () => {
    const home = await createServerHome()
    const double = await startS3Double()
    const folders: string[] = []
    const start = async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'rupa-keys-'))
      folders.push(dataDir)
      const own = { ROLE: 'web', DATABASE_URL: home.databaseUrl as string, STORAGE: double.address.href }
      return await startServerProcess({ ...own, ...shared, DATA_DIR: dataDir })
    }
    const servers = await Promise.all([start(), start()])
    const config = readConfig({ ...shared, DATABASE_URL: home.databaseUrl })
    const { db, close } = await openDatabase(config, pino({ level: 'silent' }))
    const user = await seedUser({ db, config, clock: () => new Date() }, {})
    const session = { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' }
    const json = { name: 'Toko', mode: 'live', scopes: ['run', 'balance'], dailyCredits: 15, days: null, password }
    const body = JSON.stringify(json)
    const made = await fetch(`${servers[0].url}/api/user/api_keys`, { method: 'POST', headers: session, body })
    const { id, key } = (await made.json()) as ApiKeyCreated
    const bearer = { authorization: `Bearer ${key}` }

    const picture = new Blob([await makePicture()])
    const run = async (index: number) => {
      const form = new FormData()
      form.set('tool', 'background-removal')
      form.set('image', picture, 'shoe.png')
      const headers = { ...bearer, 'idempotency-key': randomUUID() }
      const { url } = servers[index % 2] as (typeof servers)[0]
      const answer = await fetch(`${url}/api/v1/generations`, { method: 'POST', headers, body: form })
      const { code } = (await answer.json()) as { code?: string }
      return answer.status === 201 ? 'started' : code
    }
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => run(index)))
    expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(3)
    const refused = new Set(outcomes.filter((outcome) => outcome !== 'started'))
    expect([...refused]).toEqual(['api_key.daily_limit'])
    expect(await findLedgerProblems(db)).toEqual([])
    const lots = await db.select().from(creditLots)
    expect(lots.reduce((sum, { remaining }) => sum + remaining, 0)).toBe(25 - 15)

    const account = (index: number) => fetch(`${servers[index]?.url}/api/v1/account`, { headers: bearer })
    expect((await Promise.all([account(0), account(1)])).map(({ status }) => status)).toEqual([200, 200])
    const revoked = await fetch(`${servers[0].url}/api/user/api_keys/${id}`, { method: 'DELETE', headers: session })
    expect(revoked.status).toBe(204)
    expect((await Promise.all([account(0), account(1)])).map(({ status }) => status)).toEqual([401, 401])

    await close()
    expect(await Promise.all(servers.map((server) => server.end()))).toEqual([0, 0])
    await double.close()
    await home.drop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  },
)
