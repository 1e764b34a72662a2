import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { readConfig } from '#server-app/config.ts'
import { startPooler } from '../support/pgbouncer.ts'
import { startS3Double } from '../support/s3-double.ts'
import { seedUser } from '../support/seed-user.ts'
import { createServerHome } from '../support/server-home.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { creditsOf, makePicture, readGeneration, submitted } from '../support/submit.ts'
import type { TestUser } from '../support/test-app.ts'
import { beginUpload, offsetOf, sendBytes } from '../support/upload.ts'

const shared = {
  JWT_SECRET: 'j'.repeat(32),
  FILE_SIGNING_KEY: 'f'.repeat(32),
  MAILBOX_KEY: 'm'.repeat(32),
  PUBLIC_URL: 'http://localhost:3000',
}
const silent = pino({ level: 'silent' })

test.runIf(process.env.TEST_DATABASE_URL)(
  'machines that share only a database and a bucket continue each other’s uploads and generations, also of a dead one',
  async () => {
    const home = await createServerHome()
    const double = await startS3Double()
    const pooler = await startPooler(home.databaseUrl as string)
    const folders: string[] = []
    const start = async (env: Record<string, string>) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'rupa-machine-'))
      folders.push(dataDir)
      return await startServerProcess({
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: home.databaseUrl as string,
        STORAGE: double.address.href,
        ...shared,
        DATA_DIR: dataDir,
        ...env,
      })
    }
    const [web, other, first] = await Promise.all([
      start({ ROLE: 'web' }),
      start({ ROLE: 'web' }),
      start({ ROLE: 'worker' }),
    ])

    const config = readConfig({ ...shared, DATABASE_URL: home.databaseUrl })
    const { db, close } = await openDatabase(config, silent)
    const { token } = await seedUser({ db, config, clock: () => new Date() }, {})
    await close()
    const at = ({ url }: ServerProcess): Pick<TestUser, 'request'> => ({
      request: (path, init) =>
        fetch(`${url}${path}`, {
          ...(init as RequestInit),
          headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${token}` },
        }),
    })

    const picture = await makePicture('#208040', 300, 300)
    const address = (await beginUpload(at(web), picture.length)).headers.get('location') ?? ''
    expect((await sendBytes(at(web), address, 0, picture.slice(0, 100))).status).toBe(204)
    await web.end('SIGKILL')
    expect(await offsetOf(at(other), address)).toBe(100)
    expect((await sendBytes(at(other), address, 100, picture.slice(100))).status).toBe(204)
    expect(await (await at(other).request(address)).json()).toMatchObject({ status: 'ready', width: 300 })

    const before = await creditsOf(at(other))
    const large = await makePicture('#204080', 2400, 2400)
    const { id, credits } = await submitted(at(other) as TestUser, {
      tool: 'photo-layout',
      image: Array(4).fill(large),
    })
    const client = new pg.Client({ connectionString: home.databaseUrl })
    await client.connect()
    await vi.waitFor(async () => expect((await readGeneration(at(other) as TestUser, id)).status).not.toBe('queued'), {
      timeout: 300_000,
      interval: 5,
    })
    await first.end('SIGKILL')
    const second = await start({ ROLE: 'worker', LANES: 'pictures' })
    await vi.waitFor(async () => expect((await readGeneration(at(other) as TestUser, id)).status).toBe('succeeded'), {
      timeout: 300_000,
    })
    const { rows } = await client.query('select attempts from generations')
    expect(rows).toEqual([{ attempts: 2 }])
    expect(await creditsOf(at(other))).toBe(before - credits)
    const view = await readGeneration(at(other) as TestUser, id)
    expect((await fetch(`${other.url}${view.outputs[0]?.url}`, { headers: { range: 'bytes=0-3' } })).status).toBe(206)
    const { rows: connections } = await client.query<{ most: number }>(
      `select count(*)::int as most from pg_stat_activity where datname = current_database()`,
    )
    expect(connections[0]?.most).toBeLessThanOrEqual(2 * 8 + 8 + 1)
    await client.end()

    expect(await Promise.all([other.end(), second.end()])).toEqual([0, 0])
    await pooler.stop()
    await double.close()
    await home.drop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  },
)
