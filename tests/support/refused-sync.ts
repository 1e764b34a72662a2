// The embedded database on a disk that refuses to sync after a while.
import { fsyncSync } from 'node:fs'
import { openEmbedded } from '#server/db/embedded.ts'
import { createLog } from '#server/log.ts'

let refuse = false
const fsync = (descriptor: number) => {
  if (refuse) throw Object.assign(new Error('input/output error'), { code: 'EIO' })
  fsyncSync(descriptor)
}
const onPanic = () => {
  process.stdout.write('panic\n')
  process.exit(1)
}
const { pglite } = await openEmbedded(process.argv[2] as string, createLog('silent'), onPanic, fsync)
refuse = true
const write = (key: string) => pglite.query(`insert into rate_limits values ($1, 1, now())`, [key])
await Promise.allSettled([write('a'), write('b'), write('c')])
process.stdout.write('went on\n')
