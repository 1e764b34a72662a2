import { expect, test } from 'vitest'
import type { BackupTarget } from './backup-target.ts'
import {
  type Contents,
  deleteOldPoints,
  isEmptied,
  listRestorePoints,
  newestGood,
  type RestorePoint,
  writePoint,
} from './restore-points.ts'

function memoryTarget(): BackupTarget & { pieces: Map<string, Uint8Array> } {
  const pieces = new Map<string, Uint8Array>()
  return {
    pieces,
    put: async (name, bytes) => void pieces.set(name, bytes),
    get: async (name) => pieces.get(name),
    list: async (prefix) => [...pieces.keys()].filter((name) => name.startsWith(prefix)),
    delete: async (name) => void pieces.delete(name),
  }
}

async function addPoint(
  target: BackupTarget,
  id: string,
  { accounts, keys, ...given }: { accounts: number; keys: string[] } & Partial<RestorePoint>,
) {
  const pieces = { pieces: 1, bytes: 1, sha256: '' }
  const tables = { users: accounts }
  const files = keys.map((key) => ({ key, ...pieces }))
  await target.put(`points/${id}/database.0`, new Uint8Array(1))
  for (const key of keys) await target.put(`files/${key}.0`, new Uint8Array(1))
  const rest = { version: '0.1.0', schema: 1, database: pieces, gone: [], secrets: {} }
  await writePoint(target, { format: 1, id, tables, files, ...rest, ...given })
}

const summary = async (target: BackupTarget) =>
  (await listRestorePoints(target)).map((point) => ('problem' in point ? 'damaged' : `${point.id} ${point.emptied}`))

test.each<[string, Contents, Contents, boolean]>([
  ['no accounts after some', { accounts: 0, files: 0 }, { accounts: 3, files: 9 }, true],
  ['no accounts, as ever', { accounts: 0, files: 0 }, { accounts: 0, files: 0 }, false],
  ['another database', { databaseId: 'b', accounts: 9, files: 9 }, { databaseId: 'a', accounts: 9, files: 9 }, true],
  ['the same database', { databaseId: 'a', accounts: 2, files: 0 }, { databaseId: 'a', accounts: 3, files: 9 }, false],
  ['most accounts lost', { databaseId: 'a', accounts: 9, files: 9 }, { databaseId: 'a', accounts: 30, files: 9 }, true],
  ['a first admin after an older version', { databaseId: 'b', accounts: 1, files: 0 }, { accounts: 3, files: 9 }, true],
  ['the upgrade from an older version', { databaseId: 'a', accounts: 3, files: 8 }, { accounts: 3, files: 9 }, false],
])('detects an emptied database: %s', (_, now, before, emptied) => {
  expect(isEmptied(now, before)).toBe(emptied)
})

test('the newest good point is complete, has accounts and lost none; a forced one counts as good', async () => {
  const target = memoryTarget()
  await addPoint(target, '1', { accounts: 5, keys: ['a'] })
  await addPoint(target, '2', { accounts: 6, keys: ['b'] })
  await addPoint(target, '3', { accounts: 6, keys: ['c'] })
  await addPoint(target, '4', { accounts: 0, keys: [] })
  await addPoint(target, '5', { accounts: 1, keys: [] })
  target.pieces.delete('files/c.0')
  await target.put('points/6/manifest', Buffer.from('torn'))
  const points = await listRestorePoints(target)
  expect(points.map((point) => ('problem' in point ? 'damaged' : point.missing))).toEqual([0, 0, 1, 0, 0, 'damaged'])
  expect(newestGood(points)).toMatchObject({ id: '2' })
  await addPoint(target, '7', { accounts: 1, keys: [], forced: true })
  expect(newestGood(await listRestorePoints(target))).toMatchObject({ id: '7' })
})

test('points without accounts never displace those with some, nor their files', async () => {
  const target = memoryTarget()
  for (const id of ['1', '2', '3']) await addPoint(target, id, { accounts: 5, keys: ['shared', `only-${id}`] })
  for (const id of ['4', '5', '6', '7']) await addPoint(target, id, { accounts: 0, keys: [] })
  await target.put('points/8/manifest', Buffer.from('torn'))
  await deleteOldPoints(target, await listRestorePoints(target), 2)
  expect(await summary(target)).toEqual(['2 false', '3 false', '6 true', '7 true', 'damaged'])
  expect([...target.pieces.keys()].filter((name) => name.startsWith('files/')).sort()).toEqual([
    ...['files/only-2.0', 'files/only-3.0', 'files/shared.0'],
  ])
})
