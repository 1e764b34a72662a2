import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makeBackup } from '#server/backup/backup.ts'
import { folderTarget } from '#server/backup/backup-target.ts'
import { listRestorePoints, readPoint, writePoint } from '#server/backup/restore-points.ts'
import { backUp, backUpWhenDue } from '#server/backup/scheduled-backup.ts'
import { openDatabase } from '#server/db/database.ts'
import { schemaVersion } from '#server/db/migrate.ts'
import { createFakeEngine } from '../support/fake-engine.ts'
import { command, damageLog, emptyHome, openShop, restoreHere, resultOf } from '../support/operator.ts'
import { createServerHome } from '../support/server-home.ts'
import { createTestApp } from '../support/test-app.ts'

function treeOf(root: string) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => {
      const { size, mtimeMs, ctimeMs } = statSync(path)
      return { path, size, mtimeMs, ctimeMs }
    })
}

async function lostShop(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const home = await createServerHome()
  const shop = await openShop(home, { BACKUP_TO: folder, ...env })
  await home.drop()
  return { folder, ...shop }
}

test('after a lost disk the restarted service backs nothing up and reports it; npm run restore restores the last good point', async () => {
  const { folder, user, id, bytes } = await lostShop({ BACKUP_KEEP: '1' })
  const env = { BACKUP_TO: folder, BACKUP_KEEP: '1' }
  const made = treeOf(folder)

  const home = await createServerHome()
  const kept = { ...home, drop: async () => {} }
  const restarted = await createTestApp({
    engine: createFakeEngine(),
    home: kept,
    env: { ...env, BACKUP_EVERY_HOURS: '0' },
  })
  restarted.expectErrors(/automatic backups are stopped/)
  restarted.config.backup.everyHours = 24
  await backUpWhenDue(restarted.deps)
  await restarted.composition.ensureFirstAdmin()
  restarted.clock.advance({ hours: 2 })
  await backUpWhenDue(restarted.deps)
  const said: string[] = []
  expect(await restarted.composition.runCommand(['backup'], (line) => said.push(line))).toBe(1)
  expect(said.at(-1)).toMatch(
    /^no backup was made: this database holds 1 accounts and 0 files, .* 1 accounts and \d+ files/,
  )
  expect(treeOf(folder)).toEqual(made)
  const { details } = (await (await restarted.request('/readyz')).json()) as { details: Record<string, string> }
  expect(details.backup_refused).toMatch(/holds much less than the last good restore point: look at it/)
  await restarted.stop()

  const unplaced = command(['restore'], { ...home.env, ...env })
  expect(unplaced).toMatchObject({
    status: 1,
    said: expect.stringMatching(/no restore point chosen: give its name, or --latest/),
  })
  const restored = command(['restore'], { ...home.env, ...env }, '\n')
  expect(restored).toMatchObject({ status: 0, said: expect.stringMatching(/1 accounts with matching books/) })
  const there = await createTestApp({ engine: createFakeEngine(), home, env: { ...env, BACKUP_EVERY_HOURS: '0' } })
  try {
    expect(await resultOf(there, user, id)).toEqual(bytes)
    expect((await backUp(there.deps)).copiedFiles).toBe(0)
  } finally {
    await there.stop()
  }
})

test('a dry run and a list write nothing at all, not even DATA_DIR', async () => {
  const root = mkdtempSync(join(tmpdir(), 'rupa-dry-'))
  const home = await emptyHome()
  const { folder } = await lostShop()
  const env = { ...home.env, BACKUP_TO: folder, DATA_DIR: join(root, 'data') }
  const before = [treeOf(root), treeOf(folder)]
  for (const args of [['--dry-run'], ['--list'], ['--dry-run', '--latest']])
    expect((await restoreHere(args, env)).status).toBe(0)
  expect([treeOf(root), treeOf(folder)]).toEqual(before)
  await home.drop()
})

test.skipIf(process.env.TEST_DATABASE_URL)(
  'a damaged embedded database is kept aside, and the last good point restored in its place',
  async () => {
    const home = await createServerHome()
    const env = { ...home.env, BACKUP_TO: mkdtempSync(join(tmpdir(), 'rupa-backup-')), BACKUP_EVERY_HOURS: '0' }
    const { user, id, bytes } = await openShop(home, env)
    damageLog(home.dataDir)

    const restored = await restoreHere(['--latest'], env)
    expect(restored).toMatchObject({ status: 0, said: expect.stringMatching(/damaged database was moved to DATA_DIR/) })
    expect(readdirSync(home.dataDir)).toContainEqual(expect.stringMatching(/^database\.damaged-/))
    const there = await createTestApp({ engine: createFakeEngine(), home, env })
    try {
      expect(await resultOf(there, user, id)).toEqual(bytes)
    } finally {
      await there.stop()
    }
  },
)

test('damaged points are shown as damaged and never chosen automatically; the next backup copies the missing files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const home = await createServerHome()
  const env = { BACKUP_TO: folder, BACKUP_EVERY_HOURS: '0' }
  await openShop(home, env)
  const shop = await createTestApp({ engine: createFakeEngine(), home, env })
  const list = async () => (await restoreHere(['--list'], { ...home.env, BACKUP_TO: folder })).said
  try {
    const second = await backUp(shop.deps)
    const { files } = await readPoint(folderTarget(folder), second.id)
    rmSync(join(folder, 'files', `${files[0]!.key}.0`))
    expect((await list()).match(/damaged: 1 pieces are missing/g)).toHaveLength(2)
    const healed = await backUp(shop.deps)
    expect(healed.copiedFiles).toBe(1)
    expect(await list()).not.toMatch(/damaged/)

    writeFileSync(join(folder, 'points', healed.id, 'manifest'), 'torn')
    expect(await list()).toMatch(new RegExp(`${healed.id}: damaged \\(`))
    const dry = await restoreHere(['--dry-run'], { ...home.env, BACKUP_TO: folder })
    expect(dry).toMatchObject({ status: 0, said: expect.stringContaining(second.id) })
    await backUp(shop.deps)
  } finally {
    await shop.stop()
  }
})

test('a point of an older schema replaces the data of a first start', async () => {
  const home = await createServerHome()
  const started = await createTestApp({ engine: createFakeEngine(), home: { ...home, drop: async () => {} } })
  await started.composition.ensureFirstAdmin()
  const folder = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const olderDir = mkdtempSync(join(tmpdir(), 'rupa-older-'))
  const schema = schemaVersion - 1
  const older = await openDatabase(
    { dataDir: olderDir, databaseUrl: undefined },
    pino({ level: 'silent' }),
    () => {},
    schema,
  )
  const config = { ...started.config, dataDir: olderDir }
  const { id } = await makeBackup({ ...started.deps, db: older.db, config }, folderTarget(folder), 1)
  await older.close()
  await started.stop()
  const point = await readPoint(folderTarget(folder), id)
  await writePoint(folderTarget(folder), { ...point, schema, migrations: point.migrations!.slice(0, schema) })

  const { status, said } = await restoreHere([id], { ...home.env, BACKUP_TO: folder })
  if (home.databaseUrl) expect([status, said]).toEqual([1, expect.stringMatching(/drop the database, create it empty/)])
  else {
    expect([status, said]).toEqual([
      0,
      expect.stringMatching(/moved to DATA_DIR\/database\.before-[^\n]*\nrestored: 0 accounts/),
    ])
    expect(existsSync(join(home.dataDir, `database.before-${id}`))).toBe(true)
  }
  await home.drop()
})

test('a restore point of a newer version, or of another schema, is refused in one line', async () => {
  const home = await emptyHome()
  const { folder } = await lostShop()
  const [made] = await listRestorePoints(folderTarget(folder))
  const point = await readPoint(folderTarget(folder), made!.id)
  await writePoint(folderTarget(folder), { ...point, schema: 999, version: '9.0.0' })
  const said = await restoreHere([point.id], { ...home.env, BACKUP_TO: folder })
  expect(said).toMatchObject({ status: 1, said: expect.stringMatching(/made by version 9\.0\.0, which is newer/) })
  await writePoint(folderTarget(folder), { ...point, migrations: ['joined', ...point.migrations!.slice(1)] })
  expect(await restoreHere([point.id], { ...home.env, BACKUP_TO: folder })).toMatchObject({
    status: 1,
    said: expect.stringMatching(/with a schema that this version does not know; [^\n]*\n$/),
  })
  await home.drop()
})
