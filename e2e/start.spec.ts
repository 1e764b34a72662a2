import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/schemas.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import { freePort } from '#tests/support/server-process.ts'
import { api, createAccount, signInByApi } from './support/account.ts'
import { generate } from './support/generate.ts'
import { test } from './support/test.ts'

const root = join(import.meta.dirname, '..')

let home: ServerHome
test.beforeEach(async () => {
  home = await createServerHome()
})
test.afterEach(() => home.drop())

/** In its own process group, like a terminal or a service manager. */
async function npmStart(port: number): Promise<{ npm: ChildProcess; ended: Promise<number | null> }> {
  const npm = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...home.env, PORT: String(port), ENGINE_THREADS: '1' },
  })
  const ended = once(npm, 'exit').then(([code]) => code as number | null)
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { intervals: [50] }).toBe(true)
  return { npm, ended }
}

const ways: [string, (npm: number) => void][] = [
  ['Ctrl-C', (npm) => process.kill(-npm, 'SIGINT')],
  ['SIGTERM to npm, as a container does it', (npm) => process.kill(npm, 'SIGTERM')],
  ['SIGTERM to the group, as systemd does it', (npm) => process.kill(-npm, 'SIGTERM')],
]

test('npm start shuts down cleanly on every stop signal, and the next start finishes the running job', {
  tag: '@soak',
}, async () => {
  const port = await freePort()
  const server = { port, origin: `http://127.0.0.1:${port}`, dataDir: home.dataDir }
  let running = await npmStart(port)
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  const portrait = readFileSync(join(import.meta.dirname, 'fixtures', 'portrait.jpg'))
  const picture = await sharp(portrait).resize(1000).jpeg().toBuffer()

  const { id } = await generate(server, token, picture)
  const status = async () => (await api<GenerationView>(server, `/api/generations/${id}`, { token })).status

  for (const [way, stop] of ways) {
    await test.step(way, async () => {
      await expect.poll(status, { intervals: [20], timeout: 60_000 }).not.toBe('queued')

      stop(running.npm.pid as number)
      // 0 means a graceful stop, for which the program has 25 seconds.
      expect(await running.ended).toBe(0)
      expect(existsSync(join(home.dataDir, 'lock-journal'))).toBe(false)

      running = await npmStart(port)
    })
  }
  await expect.poll(status).toBe('succeeded')
  process.kill(-(running.npm.pid as number), 'SIGKILL')
  await running.ended
})
