import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a server (`--import`): LOOP_TURNS_PORT serves the longest event loop turn since the
 * last reading, in milliseconds of this thread's processor time.
 */
const port = Number(process.env.LOOP_TURNS_PORT)

if (isMainThread && port) {
  let longest = 0
  let before = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
  }, 1).unref()
  createServer((_, response) => {
    response.end(String(longest))
    longest = 0
  })
    .listen(port, '127.0.0.1')
    .unref()
}
