import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLocalStore } from './local-store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rupa-store-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function* chunks(...parts: (string | Error)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield Buffer.from(part)
  }
}
const files = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
const text = async (store: ReturnType<typeof createLocalStore>, key: string) =>
  Buffer.from(await store.get(key)).toString()

test('a streamed file appears whole or not at all', async () => {
  const store = createLocalStore(folder)
  expect(await store.write('a/b', chunks('one ', 'two'))).toBe(7)
  expect(await text(store, 'a/b')).toBe('one two')
  await expect(store.write('a/c', chunks('one ', new Error('cut')))).rejects.toThrow('cut')
  await expect(store.get('a/c')).rejects.toMatchObject({ code: 'file.not_found' })
  expect(files()).toHaveLength(1)
})

test('a growing file keeps what arrived before a break, and goes on from there', async () => {
  const store = createLocalStore(folder)
  const saved: number[] = []
  const onSaved = async (bytes: number) => void saved.push(bytes)
  await expect(store.append('g/f', 0, chunks('abc', new Error('cut')), onSaved)).rejects.toThrow('cut')
  expect(saved).toEqual([3])
  expect(await store.append('g/f', 3, chunks('def'), onSaved)).toBe(6)
  expect(await text(store, 'g/f')).toBe('abcdef')
})

test('a growing file drops what lies behind the offset that was counted', async () => {
  const store = createLocalStore(folder)
  await store.append('g/f', 0, chunks('abcdef'), async () => {})
  expect(await store.append('g/f', 2, chunks('X'), async () => {})).toBe(3)
  expect(await text(store, 'g/f')).toBe('abX')
  await expect(store.append('g/none', 2, chunks('X'), async () => {})).rejects.toMatchObject({
    code: 'file.not_found',
  })
})

test('a copy outlives what it was copied from', async () => {
  const store = createLocalStore(folder)
  await store.put('a/one', Buffer.from('same'), 'text/plain')
  await store.copy('a/one', 'b/two')
  await store.delete(['a/one'])
  expect(await text(store, 'b/two')).toBe('same')
  await expect(store.copy('a/one', 'b/three')).rejects.toMatchObject({ code: 'file.not_found' })
})

test('a file appears while its folder is deleted again and again', async () => {
  const store = createLocalStore(folder)
  let appearing = true
  const deleting = Array.from({ length: 4 }, async () => {
    while (appearing) await store.delete(['a/other'])
  })
  try {
    for (let round = 0; round < 100; round++) {
      await store.put('a/one', Buffer.from('whole'), 'text/plain')
      await store.delete(['a/one'])
    }
  } finally {
    appearing = false
    await Promise.all(deleting)
  }
  expect(files()).toHaveLength(0)
})

test('a file is read and made by path', async () => {
  const store = createLocalStore(folder)
  expect(
    await store.make('a/made', async (path) => {
      await writeFile(path, 'by a thread')
      return 42
    }),
  ).toBe(42)
  expect(await store.withPath('a/made', async (path) => (await readFile(path)).toString())).toBe('by a thread')
  await expect(store.withPath('a/none', async () => {})).rejects.toMatchObject({ code: 'file.not_found' })
})

test('a full disk is reported as such, and leaves nothing behind', async () => {
  const store = createLocalStore(folder, async (...given) => {
    const file = await open(...given)
    file.sync = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
    return file
  })
  await expect(store.write('a/b', chunks('one'))).rejects.toMatchObject({ code: 'storage.full' })
  expect(files()).toEqual([])
})
