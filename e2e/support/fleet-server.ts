import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFleet } from '../../tests/support/fleet.ts'
import { appEnvironment } from './app-server.ts'
import type { RunningServer } from './server.ts'

/** Two web servers and four workers that share only a database and a bucket. */
export async function startFleetServer(): Promise<RunningServer & { dispose(): Promise<void> }> {
  const fleet = await startFleet({ env: { ...appEnvironment, STAFF_SECOND_FACTOR: 'optional' } })
  if (!fleet) throw new Error('a fleet needs PostgreSQL')
  const dataDir = mkdtempSync(join(tmpdir(), 'rupa-fleet-mails-'))
  const stopMails = fleet.outboxIn(dataDir)
  return {
    port: Number(new URL(fleet.url).port),
    origin: fleet.url,
    dataDir,
    async dispose() {
      stopMails()
      await fleet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
