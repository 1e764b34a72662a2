import { expect, test, vi } from 'vitest'
import { createServerHome } from '#tests/support/server-home.ts'
import { startServerProcess } from '#tests/support/server-process.ts'

test.runIf(process.env.TEST_DATABASE_URL)(
  'apart, web and worker do the same together as the program does alone',
  { timeout: 180_000 },
  async () => {
    const home = await createServerHome()
    const env = {
      ...home.env,
      JWT_SECRET: 'j'.repeat(32),
      FILE_SIGNING_KEY: 'f'.repeat(32),
      PUBLIC_URL: 'http://localhost:3000',
    }
    const [web, worker] = await Promise.all([
      startServerProcess({ ...env, ROLE: 'web' }),
      startServerProcess({ ...env, ROLE: 'worker' }),
    ])
    expect(worker.stdout()).toContain('Rupa worker is running')
    const ready = (await (await fetch(`${worker.url}/readyz`)).json()) as { details: object }
    expect(ready.details).toMatchObject({ workers: '1 seen within a minute' })
    expect((await fetch(`${worker.url}/api/login`, { method: 'POST' })).status).toBe(404)
    const other = await startServerProcess({ ...env, ROLE: 'worker', PUBLIC_URL: 'http://localhost:3001' })
    expect(await other.ended).toBe(1)
    expect(other.stderr()).toMatch(
      /^PUBLIC_URL is http:\/\/localhost:3001 here and http:\/\/localhost:3000 at the web[^\n]*\n$/,
    )
    const person = { name: 'Sari', email: 'sari@contoh.id', password: 'Rahasia123!', agreeToTerms: true }
    const registered = await fetch(`${web.url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    })
    expect(registered.status).toBe(201)
    await vi.waitFor(() => expect(worker.stdout()).toContain('/api/verify_email/'), { timeout: 120_000 })
    const admins = `${web.stderr()}${worker.stderr()}`.match(/First admin/g)
    expect(admins).toHaveLength(1)
    expect(await Promise.all([web.end(), worker.end()])).toEqual([0, 0])
    await home.drop()
  },
)
