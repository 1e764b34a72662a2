import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A bad network between browser and server, which can also serve a newer worker. */
export interface BadNetwork {
  port: number
  origin: string
  /** The server processes the next matching requests, but their responses are lost. */
  loseResponses(matches: (method: string, path: string) => boolean, times: number): void
  cutUploads(afterBytes: number, times: number): void
  cuts(): number
  deployNewWorker(): void
  /** Connections break, and new ones are refused. */
  disconnect(): Promise<void>
  /** At the same address. */
  reconnect(): Promise<void>
  close(): Promise<void>
}

export async function badNetwork(targetPort: number): Promise<BadNetwork> {
  const sockets = new Set<Socket>()
  let lose: { matches: (method: string, path: string) => boolean; times: number } | undefined
  let cut: { afterBytes: number; times: number } = { afterBytes: 0, times: 0 }
  let cuts = 0
  let workers = 0

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = 'GET', url = '/' } = incoming
    const lost = lose !== undefined && lose.times > 0 && lose.matches(method, url)
    if (lost && lose) lose.times -= 1
    const worker = workers > 0 && url === '/sw.js'
    const headers = { ...incoming.headers, ...(worker && { 'accept-encoding': 'identity' }) }
    const onward = request({ host: '127.0.0.1', port: targetPort, method, path: url, headers }, (response) => {
      if (lost) {
        response.resume()
        response.once('end', () => incoming.socket.destroy())
        return
      }
      const { 'content-length': length, etag: _etag, ...rest } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, worker ? rest : { ...rest, ...sizeHeaders(length, response) })
      if (!worker) {
        response.pipe(outgoing)
        return
      }
      response.pipe(outgoing, { end: false })
      response.once('end', () => outgoing.end(`\n// deployed anew: ${workers}\n`))
    })
    onward.once('error', () => incoming.socket.destroy())
    outgoing.once('close', () => onward.destroy())
    const cuttable = cut.times > 0 && url.startsWith('/api/uploads') && (method === 'PATCH' || method === 'POST')
    let passed = 0
    incoming.on('data', (chunk: Buffer) => {
      passed += chunk.length
      if (!cuttable || cut.times === 0 || passed < cut.afterBytes) return
      cut.times -= 1
      cuts += 1
      incoming.socket.destroy()
      onward.destroy()
    })
    incoming.pipe(onward)
  }

  const server = createServer(forward)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const listenAt = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  await listenAt(0)
  const { port } = server.address() as AddressInfo
  async function disconnect(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    loseResponses(matches, times) {
      lose = { matches, times }
    },
    cutUploads(afterBytes, times) {
      cut = { afterBytes, times }
    },
    cuts: () => cuts,
    deployNewWorker() {
      workers += 1
    },
    disconnect,
    async reconnect() {
      if (!server.listening) await listenAt(port)
    },
    close: disconnect,
  }
}

function sizeHeaders(length: string | undefined, response: IncomingMessage): Record<string, string> {
  const { etag } = response.headers
  return { ...(length !== undefined && { 'content-length': length }), ...(etag !== undefined && { etag }) }
}
