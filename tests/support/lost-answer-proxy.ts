import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Simple query of PostgreSQL's protocol: `Q`, length, text, zero. */
const commit = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')

export type LostAnswerProxy = Awaited<ReturnType<typeof startLostAnswerProxy>>

/**
 * After `loseCommitOf`, cuts the transaction with the text once its commit is answered: it is done,
 * and the client cannot know.
 */
export async function startLostAnswerProxy(target: number) {
  const open = new Set<Socket>()
  let wanted: { text: string; lost: PromiseWithResolvers<void> } | undefined
  let down = false
  const server = createServer((client) => {
    if (down) return void client.destroy()
    const upstream = connect(target, '127.0.0.1')
    let sentText = false
    let loses: PromiseWithResolvers<void> | undefined
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          client.destroy()
          upstream.destroy()
        })
    }
    client.on('data', (chunk) => {
      if (wanted && chunk.includes(wanted.text)) sentText = true
      if (wanted && sentText && chunk.includes(commit)) {
        loses = wanted.lost
        wanted = undefined
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (!loses) return void client.write(chunk)
      client.destroy()
      loses.resolve()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    /** Until `restore`. */
    cut() {
      down = true
      for (const socket of open) socket.destroy()
    },
    restore() {
      down = false
    },
    /** Resolves when the commit's answer was lost. */
    loseCommitOf(text: string): Promise<void> {
      wanted = { text, lost: Promise.withResolvers<void>() }
      return wanted.lost.promise
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
