import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { api } from './account.ts'
import { admin } from './app-server.ts'
import type { RunningServer } from './server.ts'

const desktop = { width: 1440, height: 900 }

export interface RecordedChange {
  method: string
  path: string
  body: string | null
}

export async function enterAsStaff(
  page: Page,
  server: RunningServer,
  who = admin,
): Promise<{ token: string; changes: RecordedChange[] }> {
  await page.setViewportSize(desktop)
  const { access_token: token } = await api<{ access_token: string }>(server, '/api/login', {
    json: { ...who, remember: true },
  })
  await page.addInitScript((kept) => localStorage.setItem('authToken', kept), token)
  const changes: RecordedChange[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/admin/') || request.method() === 'GET') return
    changes.push({ method: request.method(), path: pathname, body: request.postData() })
  })
  return { token, changes }
}

export async function adjustCredits(server: RunningServer, token: string, amount: number): Promise<void> {
  const { access_token: staff } = await api<{ access_token: string }>(server, '/api/login', { json: admin })
  const { id: userId } = await api<{ id: string }>(server, '/api/user/me', { token })
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
    authorization: `Bearer ${staff}`,
  }
  const body = JSON.stringify({ userId, amount, reason: 'Untuk uji' })
  const { status } = await fetch(`${server.origin}/api/admin/credit_adjustments`, { method: 'POST', headers, body })
  expect(status).toBe(201)
}

/** Repeats recorded calls as another user; returns those that were not refused. */
export async function notRefused(server: RunningServer, changes: RecordedChange[], token?: string): Promise<string[]> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const found = await Promise.all(
    changes.map(async ({ method, path, body }) => {
      const { status } = await fetch(`${server.origin}${path}`, { method, headers, body })
      return `${method} ${path.replace(/[0-9a-f-]{36}/g, ':id')} ${status}`
    }),
  )
  return found.filter((line) => !line.endsWith(token ? ' 403' : ' 401'))
}

export async function withReason(page: Page, button: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Alasan').fill(reason)
  await dialog.getByRole('button', { name: button }).click()
  await expect(dialog).toBeHidden()
}

export async function placeOrder(server: RunningServer, token: string, method = 'bca'): Promise<string> {
  const response = await fetch(`${server.origin}/api/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), authorization: `Bearer ${token}` },
    body: JSON.stringify({ packageId: 'starter', method, acceptPrivacy: true, acceptTerms: true }),
  })
  return ((await response.json()) as { id: string }).id
}

export async function sendFile(server: RunningServer, token: string, path: string): Promise<string> {
  const bytes = await readFile(path)
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const name = Buffer.from(basename(path)).toString('base64')
  const begun = await fetch(`${server.origin}/api/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': `filename ${name}` },
  })
  const address = new URL(begun.headers.get('location') ?? '', server.origin)
  await fetch(address, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: bytes,
  })
  return address.pathname.split('/').at(-1) as string
}

export async function askDesigner(
  server: RunningServer,
  token: string,
  { email, title, pictures = [] }: { email: string; title: string; pictures?: string[] },
): Promise<string> {
  const attachments = await Promise.all(pictures.map(async (path) => ({ upload: await sendFile(server, token, path) })))
  const response = await fetch(`${server.origin}/api/custom_edits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), authorization: `Bearer ${token}` },
    body: JSON.stringify({ title, whatsapp: '081234567890', email, description: 'Dibersihkan, ya', attachments }),
  })
  return ((await response.json()) as { id: string }).id
}
