import { connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  port: number
  cuts(): number
  close(): Promise<void>
}

/** Cuts each connection after so many bytes from the client, so many times. */
export async function startCuttingProxy(target: number, { bytes, times }: { bytes: number; times: number }) {
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    let passed = 0
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
    upstream.pipe(client)
    client.on('data', (chunk) => {
      passed += chunk.length
      if (passed > bytes && cuts < times) {
        cuts += 1
        // Bytes before the cut still arrive; the response does not.
        upstream.end(chunk.subarray(0, chunk.length >> 1))
        client.destroy()
      } else if (!upstream.write(chunk)) {
        client.pause()
        upstream.once('drain', () => client.resume())
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: CuttingProxy = {
    port: (server.address() as { port: number }).port,
    cuts: () => cuts,
    close: () => {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}
