import { openDatabase } from '#server/db/database.ts'
import { createJobQueue } from '#server/jobs/job-queue.ts'
import { createLog } from '#server/log.ts'
import { queues } from './registrations.ts'

// The parent process was killed.
process.on('disconnect', () => process.exit(1))

const [dataDir = '', logLevel = 'info'] = process.argv.slice(2)
const log = createLog(logLevel, process.stdout.isTTY ? 'readable' : 'json')
try {
  const { pglite, close } = await openDatabase({ dataDir, databaseUrl: undefined }, log)
  if (pglite) await (await createJobQueue({ pglite }, log, queues)).stop()
  await close()
  process.exit(0)
} catch {
  process.exit(1)
}
