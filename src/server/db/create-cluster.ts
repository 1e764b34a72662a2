import { workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { durableStartParams, SyncedNodeFS } from './fsync-fs.ts'

const { folder } = workerData as { folder: string }
const pglite = await PGlite.create({
  fs: new SyncedNodeFS(folder),
  startParams: durableStartParams(PGlite.defaultStartParams),
})
await pglite.close()
