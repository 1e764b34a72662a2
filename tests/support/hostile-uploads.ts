import type { HostileCall } from './hostile-calls.ts'

export interface HostileOutcome {
  status: number
  text: string
  location?: string | undefined
  retryAfter?: string | undefined
}
type Send = (call: HostileCall, hangsUp?: boolean) => Promise<HostileOutcome>

const version = { 'tus-resumable': '1.0.0' }
const binary = { ...version, 'content-type': 'application/offset+octet-stream' }

/**
 * Concurrent senders, extra bytes, aborts, deletion, and generations before, during and after the
 * upload.
 */
export async function abuseUpload(
  send: Send,
  { bearer, file, random }: { bearer: () => Record<string, string>; file: Buffer<ArrayBuffer>; random: () => number },
): Promise<void> {
  const begin = { ...version, 'upload-length': String(file.length), ...bearer() }
  const { location } = await send({ method: 'POST', path: '/api/uploads', headers: begin })
  if (!location) return
  const patch = (offset: number, body: Buffer<ArrayBuffer>, hangsUp = false) =>
    send(
      { method: 'PATCH', path: location, headers: { ...binary, 'upload-offset': String(offset), ...bearer() }, body },
      hangsUp,
    )
  const plain = (method: string) => send({ method, path: location, headers: { ...version, ...bearer() } })
  const run = (key: string) => {
    const inputs = { image: [{ upload: location.split('/').at(-1) }] }
    const headers = { 'content-type': 'application/json', 'idempotency-key': key, ...bearer() }
    const body = JSON.stringify({ tool: 'background-removal', inputs })
    return send({ method: 'POST', path: '/api/generations', headers, body })
  }
  const key = `game-${Math.floor(random() * 1e9)}`
  const half = Math.floor(file.length / 2)
  const games = [
    () => Promise.all([patch(0, file), patch(0, file.subarray(half)), patch(0, file.subarray(0, half)), plain('HEAD')]),
    () =>
      Promise.all([patch(0, file.subarray(0, half), true), patch(half, file.subarray(half)), run(key), plain('GET')]),
    () => Promise.all([patch(0, Buffer.concat([file, file])), patch(0, file, true), plain('DELETE')]),
    () => Promise.all([patch(0, file), plain('DELETE'), run(key), run(key)]),
    () => Promise.all([patch(0, file).then(() => Promise.all([run(key), run(key), run(`${key}-b`), plain('DELETE')]))]),
    () =>
      Promise.all([
        patch(file.length, Buffer.alloc(1)),
        patch(2 ** 40, file),
        patch(-1, file),
        patch(0, Buffer.alloc(0)),
      ]),
  ]
  await games[Math.floor(random() * games.length)]?.()
  await patch(half, file.subarray(half))
  await run(key)
}
