import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { RunningServer } from './server.ts'

export const password = 'Rahasia-123!'

/** Fails on any response that is not 2xx. */
export async function api<Body>(
  server: Pick<RunningServer, 'origin'>,
  path: string,
  { token, json, from }: { token?: string; json?: unknown; from?: string } = {},
): Promise<Body> {
  const response = await fetch(`${server.origin}${path}`, {
    method: json === undefined ? 'GET' : 'POST',
    headers: {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(from !== undefined && { 'x-forwarded-for': from }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: json === undefined ? undefined : JSON.stringify(json),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Body
}

const isThere = () => true

const mails = new Map<string, string>()

async function readMail(file: string): Promise<string> {
  const read = mails.get(file) ?? (await readFile(file, 'utf8'))
  mails.set(file, read)
  return read
}

function decoded(part: string): string {
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(part)) return part
  return part
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

export async function mailTo(
  server: Pick<RunningServer, 'dataDir'>,
  email: string,
  isRight: (text: string) => boolean = isThere,
): Promise<string> {
  const outbox = join(server.dataDir, 'outbox')
  for (let attempt = 0; attempt < 400; attempt++) {
    for (const name of (await readdir(outbox).catch(() => [])).sort().reverse()) {
      // Files still being written have another extension.
      const mail = name.endsWith('.eml') ? await readMail(join(outbox, name)) : ''
      if (!mail.includes(email)) continue
      const text = mail
        .split(/^--.+$/m)
        .map(decoded)
        .join('\n')
      if (isRight(text)) return text
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('no such mail came')
}

export async function linkIn(server: Pick<RunningServer, 'dataDir'>, email: string, path: RegExp): Promise<string> {
  const find = (text: string) => text.match(/https?:\/\/[^\s"<>]+/g)?.find((address) => path.test(address))
  return find(await mailTo(server, email, (text) => find(text) !== undefined)) as string
}

export async function codeIn(server: Pick<RunningServer, 'dataDir'>, email: string): Promise<string> {
  const find = (text: string) => /^(\d{6})\r?$/m.exec(text)?.[1]
  return find(await mailTo(server, email, (text) => find(text) !== undefined)) as string
}

export async function createAccount(
  server: Pick<RunningServer, 'origin' | 'dataDir'>,
  name: string,
): Promise<{ name: string; email: string }> {
  const email = `${name.toLowerCase()}-${Math.random().toString(36).slice(2, 8)}@contoh.test`
  // Registrations are limited by address.
  const from = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
  await api(server, '/api/register', { from, json: { name, email, password, agreeToTerms: true, birthYear: 1990 } })
  const { pathname } = new URL(await linkIn(server, email, /\/api\/verify_email\//))
  const response = await fetch(`${server.origin}${pathname}`, { redirect: 'manual' })
  if (response.status !== 302 && response.status !== 303) throw new Error(`verification responded ${response.status}`)
  return { name, email }
}

const tokens = new Map<string, string>()

/** The browser has another session. */
export async function signInByApi(server: Pick<RunningServer, 'origin'>, email: string): Promise<string> {
  const held = tokens.get(email)
  if (held) return held
  const response = await api<{ access_token: string }>(server, '/api/login', {
    json: { email, password, remember: true },
  })
  tokens.set(email, response.access_token)
  return response.access_token
}

/** Like an in-app link, without reloading the app. */
export function navigateInApp(page: Page, path: string): Promise<void> {
  return page.evaluate((to) => history.pushState(null, '', to), path)
}

/** A session of the browser's own, before the app has run. */
export async function signInOnDevice(
  page: Page,
  { origin }: Pick<RunningServer, 'origin'>,
  email: string,
): Promise<void> {
  const json = { email, password, remember: true }
  const { access_token: token } = await api<{ access_token: string }>({ origin }, '/api/login', { json })
  // A static file on the app's origin.
  await page.goto(`${origin}/theme.js`)
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  await page.evaluate((kept) => Object.assign(localStorage, kept), { authToken: token, lastUser: claims.sub.id })
}

/** Signs in on the screen as a user does. */
export async function signInOnScreen(page: Page, email: string, origin = new URL(page.url()).origin): Promise<void> {
  if (new URL(page.url()).pathname !== '/login') await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Kata sandi', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Masuk', exact: true }).tap()
  await page.waitForURL((url) => url.pathname !== '/login')
}

export const isSignedIn = (page: Page): Promise<boolean> =>
  page.evaluate(() => localStorage.getItem('authToken') !== null)

/** Opens a page of another site and taps its link, which names no referrer. */
export async function followForeignLink(page: Page, address: string): Promise<void> {
  const foreign = 'http://tempat-lain.test/'
  const body = `<a href="${address}" referrerpolicy="no-referrer" style="font-size:3em">Hadiah</a>`
  await page.route(foreign, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(foreign, { waitUntil: 'commit' })
  await page.getByRole('link', { name: 'Hadiah' }).tap()
  await page.waitForURL(address)
}
