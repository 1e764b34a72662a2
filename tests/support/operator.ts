import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { GenerationView } from '#features/generations/schemas.ts'
import { backUp } from '#server/backup/scheduled-backup.ts'
import { restore } from '#server-app/restore.ts'
import { serverOptions } from '../../src/scripts/run.mjs'
import { createFakeEngine } from './fake-engine.ts'
import { createServerHome, type ServerHome } from './server-home.ts'
import { reached, submitted } from './submit.ts'
import { createTestApp, type TestApp, type TestUser } from './test-app.ts'

/** `input` is typed. */
export function command(args: string[], env: Record<string, string>, input = '') {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...serverOptions, 'src/server-app/command.ts', ...args],
    {
      encoding: 'utf8',
      input,
      env: { PATH, NODE_COMPILE_CACHE, ...env },
    },
  )
  return { status, said: `${stdout}${stderr}` }
}

/**
 * `npm run restore` without starting a process, which would load the whole server. Its output and
 * status are those of src/server-app/command.ts.
 */
export async function restoreHere(args: string[], env: Record<string, string>) {
  const lines: string[] = []
  try {
    await restore(env, args, (line) => void lines.push(line))
    return { status: 0, said: lines.map((line) => `${line}\n`).join('') }
  } catch (error) {
    return { status: 1, said: [...lines, (error as Error).message].map((line) => `${line}\n`).join('') }
  }
}

/** Of the kind of database that the tests run on. */
export async function emptyHome() {
  const home = await createServerHome()
  if (home.databaseUrl) return home
  const dataDir = mkdtempSync(join(tmpdir(), 'rupa-restored-'))
  return { ...home, dataDir, env: { DATA_DIR: dataDir } }
}

/** Cuts the log that the embedded database reads at its start, as a lost disk sector does. */
export function damageLog(dataDir: string): void {
  const folder = join(dataDir, 'database', 'pg_wal')
  for (const name of readdirSync(folder)) if (/^[0-9A-F]{24}$/.test(name)) truncateSync(join(folder, name), 300_000)
}

export async function resultOf(at: TestApp, { token }: Pick<TestUser, 'token'>, id: string) {
  const view = (await (await at.request(`/api/generations/${id}`, { token })).json()) as GenerationView
  const { pathname, search } = new URL(view.outputs[0]!.url, at.config.publicUrl)
  const response = await at.request(pathname + search)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** Runs a server until it has an account and a picture; the home stays. */
export async function openShop(home: ServerHome, env: Record<string, string> = {}) {
  const shop = await createTestApp({
    engine: createFakeEngine(),
    home: { ...home, drop: async () => {} },
    env: { WELCOME_CREDITS: '100', BACKUP_EVERY_HOURS: '0', ...env },
  })
  const user = await shop.createUser()
  const { id } = await submitted(user)
  await reached(user, id, 'succeeded')
  const bytes = await resultOf(shop, user, id)
  if (env.BACKUP_TO) await backUp(shop.deps)
  await shop.stop()
  return { user, id, bytes }
}
