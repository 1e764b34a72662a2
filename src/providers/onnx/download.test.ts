import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { download } from './fetch-model.ts'

const content = Buffer.alloc(300_000, 'weights')
/** From another program. */
const known = { size: 300_000, sha256: '9a7289c6ca4ee34758e58ebf6521f69ec3039d9c406ff6aeeaa2c49f8673b97b' }
let folder: string
let path: string
let asked: (string | undefined)[]
/**
 * Responses to the next requests; afterwards the server sends the content or the requested range.
 */
let answers: ((response: ServerResponse) => void)[]
const server = createServer(({ url, headers }, response) => {
  if (url === '/old') return void response.writeHead(302, { location: '/model' }).end()
  asked.push(headers.range)
  const answer = answers.shift()
  if (answer) return answer(response)
  const from = Number(headers.range?.match(/\d+/)?.[0] ?? 0)
  const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }
  response.writeHead(from ? 206 : 200, { 'content-length': content.length - from, ...(from && range) })
  response.end(content.subarray(from))
})
let address: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rupa-download-'))
  path = join(folder, 'model')
  asked = []
  answers = []
  return () => rmSync(folder, { recursive: true })
})

const partSize = () => {
  const part = readdirSync(folder).find((name) => name.endsWith('.part'))
  return part ? statSync(join(folder, part)).size : 0
}
/** Closes the connection once the client has stored the beginning of a file. */
const cutAfter =
  (bytes: number, file = content) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': file.length })
    response.write(file.subarray(0, bytes))
    void vi.waitFor(() => expect(partSize()).toBe(bytes), 120_000).finally(() => response.destroy())
  }

test('a download follows redirects, reports progress, and resumes at the byte where it was cut', async () => {
  answers = [cutAfter(100_000)]
  await expect(download(`${address}/old`, path, known)).rejects.toThrow()
  const told: number[] = []
  await download(`${address}/old`, path, known, { onProgress: (bytes, of) => told.push(bytes / of) })
  expect(readFileSync(path).equals(content)).toBe(true)
  expect(asked).toEqual([undefined, 'bytes=100000-'])
  expect(told.at(-1)).toBe(1)
})

test('a file that changed between two parts of its download is fetched once more from its beginning', async () => {
  answers = [cutAfter(100_000, Buffer.alloc(300_000, 'earlier'))]
  await expect(download(`${address}/model`, path, known)).rejects.toThrow()
  await download(`${address}/model`, path, known)
  expect(asked).toEqual([undefined, 'bytes=100000-', undefined])
  expect(readFileSync(path).equals(content)).toBe(true)
})

test('without a known digest nothing is resumed, so that two files are never joined', async () => {
  answers = [cutAfter(100_000)]
  await expect(download(`${address}/model`, path, {})).rejects.toThrow()
  expect(readdirSync(folder)).toEqual([])
  await download(`${address}/model`, path, {})
  expect(asked).toEqual([undefined, undefined])
})

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['another file of the same size', (response) => response.end(Buffer.alloc(300_000, 'x')), /its SHA-256 is/],
  ['a smaller file', (response) => response.end('weights'), /7 bytes instead of 300000/],
  ['a larger file that says so', (response) => response.end(Buffer.alloc(300_001)), /300001 bytes instead of 300000/],
  [
    'a file without an end',
    (response) => {
      const more = () => response.write(Buffer.alloc(65_536), (error) => !error && more())
      more()
    },
    /more than 300000 bytes/,
  ],
  [
    'a page',
    (response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'),
    /it is text\/html; charset=utf-8, not a model/,
  ],
])('%s instead of the file is refused, and nothing of it stays', async (_name, answer, reason) => {
  answers = [answer]
  await expect(download(`${address}/model`, path, known)).rejects.toThrow(reason)
  expect(readdirSync(folder)).toEqual([])
})

test('an HTML page is not a model, even with an unknown digest', async () => {
  answers = [(response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')]
  await expect(download(`${address}/model`, path, {})).rejects.toThrow('not a model')
  expect(readdirSync(folder)).toEqual([])
})

test('an aborted download leaves no file under the final name', async () => {
  const stop = new AbortController()
  answers = [(response) => void response.writeHead(200, { 'content-length': 300_000 }).write('weights')]
  const downloaded = download(`${address}/model`, path, known, { signal: stop.signal, onProgress: () => stop.abort() })
  await expect(downloaded).rejects.toThrow()
  expect(readdirSync(folder)).not.toContain('model')
})
