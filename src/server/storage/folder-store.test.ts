import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFolderStore } from './folder-store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rupa-store-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const files = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
test('a file appears while its folder is deleted again and again', async () => {
  const store = createFolderStore(folder)
  let appearing = true
  const deleting = Array.from({ length: 4 }, async () => {
    while (appearing) await store.delete(['a/other'])
  })
  try {
    for (let round = 0; round < 100; round++) {
      await store.put('a/one', Buffer.from('whole'))
      await store.delete(['a/one'])
    }
  } finally {
    appearing = false
    await Promise.all(deleting)
  }
  expect(files()).toHaveLength(0)
})

test.each(['ENOSPC', 'EDQUOT'])('a full disk (%s) is reported as such, and leaves nothing behind', async (code) => {
  const store = createFolderStore(folder, async (...given) => {
    const file = await open(...given)
    file.sync = () => Promise.reject(Object.assign(new Error('no space left on device'), { code }))
    return file
  })
  await expect(store.put('a/b', Buffer.from('one'))).rejects.toMatchObject({ code: 'storage.full' })
  expect(files()).toEqual([])
})
