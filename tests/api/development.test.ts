import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copySources } from '#tests/support/copy-sources.ts'
import { createServerHome } from '#tests/support/server-home.ts'
import { freePort } from '#tests/support/server-process.ts'

test('npm run dev says where it runs, and serves a change of the server by itself', { timeout: 180_000 }, async () => {
  const tree = copySources()
  const home = await createServerHome()
  const [port, appPort] = [await freePort(), await freePort()]
  const origin = `http://localhost:${appPort}`
  const env = { ...process.env, ...home.env, PORT: String(port), PUBLIC_URL: origin, ENGINE_THREADS: '1' }
  const dev = spawn('npm', ['run', 'dev'], { cwd: tree, detached: true, env })
  const ended = once(dev, 'exit')
  onTestFinished(async () => {
    process.kill(-(dev.pid as number), 'SIGINT')
    await ended
    await home.drop()
    rmSync(tree, { recursive: true, force: true })
  })
  let said = ''
  for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk) => (said += chunk))
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.text(),
      () => '',
    )
  const patience = { timeout: 80_000, interval: 100 }

  await expect.poll(ready, patience).toContain('"status":"ok"')
  await expect.poll(() => said, patience).toContain(`Rupa is running at ${origin}\n`)

  const file = join(tree, 'src/server/http/app.ts')
  const source = readFileSync(file, 'utf8')
  expect(source).toContain("status: 'ok'")
  writeFileSync(file, source.replaceAll("status: 'ok'", "status: 'changed'"))
  await expect.poll(ready, patience).toContain('"status":"changed"')
})
