import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SlowNetwork {
  origin: string
  /** Bytes received by the phone, and requests sent. */
  carried(): { bytes: number; requests: number }
  close(): Promise<void>
}

/** Bytes in flight of one connection. */
const window = 32 * 1024
const packet = 1400

/** Limits bandwidth in each direction and adds latency. */
export async function slowNetwork(
  targetPort: number,
  { bitsPerSecond, roundTripMilliseconds }: { bitsPerSecond: number; roundTripMilliseconds: number },
): Promise<SlowNetwork> {
  const sockets = new Set<Socket>()
  const carried = { bytes: 0, requests: 0 }
  const free = { down: 0, up: 0 }

  function carry(from: Socket, to: Socket, direction: keyof typeof free): void {
    let underWay = 0
    // Timers may fire out of order; bytes must not.
    const pieces: Buffer[] = []
    from.on('data', (data) => {
      for (let at = 0; at < data.length; at += packet) {
        const piece = data.subarray(at, at + packet)
        const now = performance.now()
        free[direction] = Math.max(now, free[direction]) + (piece.length * 8000) / bitsPerSecond
        underWay += piece.length
        pieces.push(piece)
        setTimeout(
          () => {
            const first = pieces.shift() as Buffer
            underWay -= first.length
            if (direction === 'down') carried.bytes += first.length
            to.write(first)
            if (underWay < window) from.resume()
          },
          free[direction] - now + roundTripMilliseconds / 2,
        )
      }
      if (direction === 'up' && /^(GET|POST|HEAD) /.test(data.toString('latin1', 0, 5))) carried.requests += 1
      if (underWay >= window) from.pause()
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      const left = Math.max(0, free[direction] - performance.now()) + roundTripMilliseconds / 2
      setTimeout(() => to.destroy(), left + 10)
    })
  }

  const server = createServer((phone) => {
    const onward = connect({ host: '127.0.0.1', port: targetPort })
    for (const socket of [phone, onward]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    carry(phone, onward, 'up')
    carry(onward, phone, 'down')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    carried: () => ({ ...carried }),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
