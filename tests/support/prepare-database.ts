import { pino } from 'pino'
import { openDatabase } from '#server/db/database.ts'
import type { DatabaseLink } from '#server/db/keep-listening.ts'
import { createJobQueue } from '#server/jobs/job-queue.ts'
import { queues } from '#server-app/registrations.ts'

export async function prepareDatabase(config: { dataDir: string; databaseUrl: string | undefined }): Promise<void> {
  const silent = pino({ level: 'silent' })
  const database = await openDatabase(config, silent)
  const { pglite, pool } = database
  const link: DatabaseLink = pglite ? { pglite } : { url: config.databaseUrl as string, pool }
  const jobs = await createJobQueue(link, silent, queues)
  await jobs.stop()
  await database.close()
}
