import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copySources } from '#tests/support/copy-sources.ts'
import { createServerHome } from '#tests/support/server-home.ts'
import { freePort } from '#tests/support/server-process.ts'

/** Puts one text in the place of another that is in the file. */
function change(file: string, text: string, other: string): void {
  const source = readFileSync(file, 'utf8')
  expect(source).toContain(text)
  writeFileSync(file, source.replaceAll(text, other))
}

test.skipIf(process.env.TEST_DATABASE_URL)(
  'npm run dev prints its address, and restarts after a change of the server',
  async () => {
    const tree = copySources()
    // No browser opens the app here, so Vite must not bundle all of its packages.
    change(join(tree, 'vite.config.ts'), 'server: { proxy:', 'optimizeDeps: { noDiscovery: true }, server: { proxy:')
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
    const patience = { timeout: 300_000, interval: 100 }

    await expect.poll(ready, patience).toContain('"status":"ok"')
    await expect.poll(() => said, patience).toContain(`Rupa is running at ${origin}"`)

    change(join(tree, 'src/server/http/health-routes.ts'), ": 'ok',", ": 'changed',")
    await expect.poll(ready, patience).toContain('"status":"changed"')
  },
)
