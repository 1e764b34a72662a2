import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { download, objectionTo } from './fetch-model.ts'
import { entryOf } from './models-dir.ts'

const folder = mkdtempSync(join(tmpdir(), 'rupa-fetch-'))
const content = Buffer.alloc(300_000, 'weights')
const asked: (string | undefined)[] = []
let cut = false
const answer: RequestListener = ({ url, headers }, response) => {
  if (url === '/old') return response.writeHead(302, { location: '/model' }).end()
  asked.push(headers.range)
  const from = Number(headers.range?.match(/\d+/)?.[0] ?? 0)
  response.writeHead(from ? 206 : 200, { 'content-length': content.length - from })
  if (!cut) return response.end(content.subarray(from))
  cut = false
  response.write(content.subarray(from, 100_000))
  // What the other side has not read yet is lost with the connection.
  void vi.waitFor(() => expect(partSize()).toBe(100_000)).finally(() => response.destroy())
}
const partSize = () => {
  const part = readdirSync(folder).find((name) => name.endsWith('.part'))
  return part ? statSync(join(folder, part)).size : 0
}
const server = createServer(answer)
let address: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

test('a download follows redirects, tells how far it is, and goes on where it was cut', async () => {
  const path = join(folder, 'model')
  cut = true
  await expect(download(`${address}/old`, path, {})).rejects.toThrow()
  const told: number[] = []
  await download(`${address}/old`, path, { onProgress: (bytes, of) => told.push(bytes / of) })
  expect(readFileSync(path).equals(content)).toBe(true)
  expect(asked).toEqual([undefined, 'bytes=100000-'])
  expect(told.at(-1)).toBe(1)
})

test('a copyleft licence, or a file whose checksum nobody knows, has to be accepted', () => {
  expect(objectionTo(entryOf('isnet-imgly'), false)).toBe('licence')
  expect(objectionTo(entryOf('isnet'), false)).toBe('checksum')
  expect(objectionTo(entryOf('esrgan'), true)).toBe('source')
  expect(objectionTo(entryOf('isnet-imgly'), true)).toBeUndefined()
  expect(objectionTo(entryOf('efficientsam'), false)).toBeUndefined()
})
