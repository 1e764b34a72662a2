import { existsSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDiskSpace } from './disk-space.ts'

const megabyte = 1024 * 1024

function disk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-disk-'))
  const state = { free: megabytes * megabyte }
  return { folder, state, space: createDiskSpace(folder, async () => state.free) }
}

test('the reserve is kept while there is space, released when others have filled the disk, and taken again', async () => {
  const { folder, state, space } = disk(1000)
  const reserve = join(folder, 'reserve')
  expect(await space.keepReserve()).toBe('kept')
  expect(statSync(reserve).size).toBe(64 * megabyte)
  state.free = 20 * megabyte
  expect(await space.keepReserve()).toBe('spent')
  expect(existsSync(reserve)).toBe(false)
  state.free = 100 * megabyte
  await space.keepReserve()
  expect(existsSync(reserve)).toBe(false)
  state.free = 1000 * megabyte
  await space.keepReserve()
  expect(existsSync(reserve)).toBe(true)
})

test('files of users are refused while only the reserve is left, and those of staff only when it is gone too', async () => {
  const full = { code: 'storage.full' }
  await expect(disk(63).space.require()).rejects.toMatchObject(full)
  await expect(disk(63).space.require('staff')).resolves.toBeUndefined()
  await expect(disk(7).space.require('staff')).rejects.toMatchObject(full)
  await expect(disk(65).space.require()).resolves.toBeUndefined()
})
