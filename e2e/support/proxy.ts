import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A bad network between browser and server: loses answers, and can serve a newer worker than the server has. */
export interface BadNetwork {
  port: number
  origin: string
  /** The server gets the next so many requests that match and works on them, but nobody hears its answers. */
  loseAnswers(matches: (method: string, path: string) => boolean, times: number): void
  /** From now on the service worker differs by a byte, as after a deployment. */
  deployNewWorker(): void
  close(): Promise<void>
}

export async function badNetwork(targetPort: number): Promise<BadNetwork> {
  const sockets = new Set<Socket>()
  let lose: { matches: (method: string, path: string) => boolean; times: number } | undefined
  let newWorker = false

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = 'GET', url = '/' } = incoming
    const lost = lose !== undefined && lose.times > 0 && lose.matches(method, url)
    if (lost && lose) lose.times -= 1
    const worker = newWorker && url === '/sw.js'
    const headers = { ...incoming.headers, ...(worker && { 'accept-encoding': 'identity' }) }
    const onward = request({ host: '127.0.0.1', port: targetPort, method, path: url, headers }, (answer) => {
      if (lost) {
        answer.resume()
        answer.once('end', () => incoming.socket.destroy())
        return
      }
      const { 'content-length': length, etag: _etag, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, worker ? rest : { ...rest, ...answerHeaders(length, answer) })
      if (!worker) {
        answer.pipe(outgoing)
        return
      }
      answer.pipe(outgoing, { end: false })
      answer.once('end', () => outgoing.end('\n// deployed anew\n'))
    })
    onward.once('error', () => incoming.socket.destroy())
    outgoing.once('close', () => onward.destroy())
    incoming.pipe(onward)
  }

  const server = createServer(forward)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    loseAnswers(matches, times) {
      lose = { matches, times }
    },
    deployNewWorker() {
      newWorker = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerHeaders(length: string | undefined, answer: IncomingMessage): Record<string, string> {
  const { etag } = answer.headers
  return { ...(length !== undefined && { 'content-length': length }), ...(etag !== undefined && { etag }) }
}
