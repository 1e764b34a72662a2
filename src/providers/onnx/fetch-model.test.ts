import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { downloadObjection, fetchModel } from './fetch-model.ts'
import type { ModelEntry, ModelFile } from './manifest.ts'
import { entryOf, fileOf, findInstalled, firstDownloadsOf, removeModel } from './models-dir.ts'

let modelsDir: string
const given = new Map<string, { content: Buffer; cut?: boolean }>()
const asked: string[] = []
const server = createServer(({ url = '' }, response) => {
  asked.push(url)
  const { content, cut } = given.get(url) ?? {}
  if (!content) return response.writeHead(404).end()
  response.writeHead(200, { 'content-length': content.length })
  if (!cut) return response.end(content)
  response.write(content.subarray(0, content.length / 2), () => response.destroy())
})
let address: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  modelsDir = mkdtempSync(join(tmpdir(), 'rupa-models-'))
  given.clear()
  asked.length = 0
  return () => rmSync(modelsDir, { recursive: true })
})

const bytes = (content: string) => Buffer.alloc(20_000, content)
/** From another program. */
const weights = { size: 20_000, sha256: '60261e7491e6248314bc40a4b5f013f0c23bfd7e6a1454b6178ad59ffa688081' }
const entry = (name: string, files: Record<string, ModelFile>): ModelEntry => ({ ...entryOf(name), files })
const unknown = () => entry('nsfw-freepik', { model: { sources: [`${address}/model`] } })
const inFolder = () => readdirSync(modelsDir, { recursive: true }).map(String).toSorted()

test('a copyleft licence, or a file whose digest is unknown, has to be accepted', () => {
  expect(downloadObjection(entryOf('isnet-imgly'), false)).toBe('licence')
  expect(downloadObjection(entryOf('nsfw-freepik'), false)).toBe('checksum')
  expect(downloadObjection(entryOf('nsfw-freepik'), true)).toBeUndefined()
  expect(downloadObjection(entryOf('esrgan'), true)).toBe('source')
  expect(downloadObjection(entryOf('isnet-imgly'), true)).toBeUndefined()
  expect(downloadObjection(entryOf('isnet'), false)).toBeUndefined()
})

test('a pinned file comes from the first source that has it, and no other file remains', async () => {
  given.set('/other', { content: bytes('another') })
  given.set('/model', { content: bytes('weights') })
  const sources = ['/none', '/other', '/model'].map((path) => `${address}${path}`)
  const { own } = await fetchModel(modelsDir, entry('isnet', { model: { sources, ...weights } }))
  expect([own, asked]).toEqual([false, ['/none', '/other', '/model']])
  expect(inFolder()).toEqual(['isnet', 'isnet/model.json', 'isnet/model.onnx'])
})

test('a model with a wrong file is not installed, and the right files are not fetched twice', async () => {
  given.set('/encoder', { content: bytes('weights') })
  given.set('/decoder', { content: bytes('another') })
  const files = {
    encoder: { sources: [`${address}/encoder`], ...weights },
    decoder: { sources: [`${address}/decoder`], ...weights },
  }
  const slimsam = entry('slimsam', files)
  await expect(fetchModel(modelsDir, slimsam)).rejects.toThrow(/decoder could not be downloaded.*SHA-256/s)
  expect(await findInstalled(modelsDir, slimsam)).toBeUndefined()
  given.set('/decoder', { content: bytes('weights') })
  await fetchModel(modelsDir, slimsam)
  expect(asked).toEqual(['/encoder', '/decoder', '/decoder'])
  expect(readFileSync(fileOf(join(modelsDir, 'slimsam'), 'decoder')).equals(bytes('weights'))).toBe(true)
})

test('a file of unknown digest is trusted once: later downloads have to be the same', async () => {
  given.set('/model', { content: bytes('weights') })
  expect(await fetchModel(modelsDir, unknown())).toMatchObject({ own: false, files: { model: weights } })
  expect(await firstDownloadsOf(modelsDir, 'nsfw-freepik')).toMatchObject({ model: weights })
  // The record outlives the model.
  expect(await removeModel(modelsDir, 'nsfw-freepik')).toBe(true)
  given.set('/model', { content: bytes('another') })
  const refused = /is not the file that was first downloaded on \d{4}-\d\d-\d\d: its SHA-256 is .* --accept-change/
  await expect(fetchModel(modelsDir, unknown())).rejects.toThrow(refused)
  expect(await findInstalled(modelsDir, unknown())).toBeUndefined()
  given.set('/model', { content: bytes('weights') })
  await fetchModel(modelsDir, unknown())
  given.set('/model', { content: bytes('another') })
  const { files } = await fetchModel(modelsDir, unknown(), { acceptChange: true })
  expect(await firstDownloadsOf(modelsDir, 'nsfw-freepik')).toMatchObject({ model: { sha256: files.model?.sha256 } })
  given.set('/model', { content: bytes('weights') })
  await expect(fetchModel(modelsDir, unknown())).rejects.toThrow(refused)
  // The installed model stays.
  expect(await findInstalled(modelsDir, unknown())).toMatchObject({ own: false, files })
})

test('an interrupted file of unknown digest is downloaded from the start, is recorded only when complete, and leaves nothing behind', async () => {
  given.set('/model', { content: bytes('weights'), cut: true })
  await expect(fetchModel(modelsDir, unknown())).rejects.toThrow('could not be downloaded')
  expect(inFolder()).toEqual(['.nsfw-freepik.draft'])
  expect(await firstDownloadsOf(modelsDir, 'nsfw-freepik')).toEqual({})
  given.set('/model', { content: bytes('weights') })
  expect(await fetchModel(modelsDir, unknown())).toMatchObject({ files: { model: weights } })
})

test('a damaged record of first downloads is not treated as an empty one', async () => {
  given.set('/model', { content: bytes('weights') })
  await fetchModel(modelsDir, unknown())
  writeFileSync(join(modelsDir, 'first-downloads.json'), '{"nsfw-')
  given.set('/model', { content: bytes('another') })
  await expect(fetchModel(modelsDir, unknown())).rejects.toThrow('is damaged')
})
