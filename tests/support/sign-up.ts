import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { testPassword } from './seed-user.ts'

export interface SignedUp {
  email: string
  token: string
}

export async function signUp(url: string, dataDir: string): Promise<SignedUp> {
  const post = (path: string, json: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: JSON.stringify(json),
      headers: { 'content-type': 'application/json' },
    })
  const email = `${randomUUID().slice(0, 8)}@contoh.id`
  await post('/api/register', { name: 'Sari', email, password: testPassword, agreeToTerms: true, birthYear: 1990 })
  const link = await vi.waitFor(
    () => {
      const folder = join(dataDir, 'outbox')
      const mail = readdirSync(folder).find((name) => name.endsWith(`${email}.eml`)) as string
      const text = readFileSync(join(folder, mail), 'utf8').replaceAll('=\r\n', '')
      return /\/api\/verify_email\/[\w-]+/.exec(text)?.[0] as string
    },
    { timeout: 300_000 },
  )
  await fetch(`${url}${link}`, { redirect: 'manual' })
  const answer = await post('/api/login', { email, password: testPassword, remember: true })
  return { email, token: ((await answer.json()) as { access_token: string }).access_token }
}
