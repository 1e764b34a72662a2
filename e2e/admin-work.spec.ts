import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { api, createAccount, linkIn, navigateInApp, password, signInByApi } from './support/account.ts'
import { admin, callbackToken } from './support/app-server.ts'
import { test } from './support/own-app.ts'
import type { RunningServer } from './support/server.ts'
import { askDesigner, enterAsStaff, notRefused, placeOrder, withReason } from './support/staff.ts'

const cat = 'src/features/generations/app/samples/cat.webp'
const coffee = 'src/features/generations/app/samples/coffee.webp'

/** Webhook without a matching payment attempt. */
async function tellUnknown(server: RunningServer, event: string, data: Record<string, string>): Promise<void> {
  const response = await fetch(`${server.origin}/api/webhooks/xendit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-callback-token': callbackToken },
    body: JSON.stringify({ event, data }),
  })
  expect(response.status).toBe(200)
}

async function createDesigner(server: RunningServer, name: string): Promise<{ email: string; password: string }> {
  const { email } = await createAccount(server, name)
  const json = { ...admin, remember: true }
  const { access_token: token } = await api<{ access_token: string }>(server, '/api/login', { json })
  const { items } = await api<{ items: { id: string }[] }>(server, `/api/admin/users?search=${email}`, { token })
  await fetch(`${server.origin}/api/admin/users/${items[0]?.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'designer', reason: 'Bergabung' }),
  })
  return { email, password }
}

test('unmatched payments are settled one by one or all of a kind, and a transfer by its picture', async ({
  page,
  server,
}) => {
  const { email } = await createAccount(server, 'Mawar')
  const own = await signInByApi(server, email)
  await tellUnknown(server, 'payment_session.completed', { payment_session_id: 'ps-of-another-shop' })
  for (const n of [1, 2])
    await tellUnknown(server, 'payment.capture', { payment_request_id: `pr-of-another-shop-${n}` })
  const order = await placeOrder(server, own, 'bsi')
  const form = new FormData()
  form.set('proof', new Blob([await readFile(coffee)]), 'bukti.webp')
  const headers = { authorization: `Bearer ${own}` }
  await fetch(`${server.origin}/api/orders/${order}/report_transfer`, { method: 'POST', headers, body: form })
  const { changes } = await enterAsStaff(page, server)

  await page.goto('/admin/pembukuan')
  const session = page.getByRole('row', { name: /Sesi bayar yang tidak dikenal/ })
  await session.getByRole('button', { name: 'Selesaikan' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Selesaikan' }).click()
  await expect(page.getByRole('dialog').getByText('Bagian ini wajib diisi')).toBeVisible()
  await withReason(page, 'Selesaikan', 'Milik toko lain')
  await expect(session).toHaveCount(0)
  await page.getByRole('button', { name: 'Selesaikan semua' }).click()
  await withReason(page, 'Selesaikan', 'Semua milik toko lain')
  await expect(page.getByText('Pembukuan cocok: tidak ada selisih.')).toBeVisible()

  await navigateInApp(page, `/admin/billing/${order}`)
  await page.getByRole('button', { name: 'Buka gambarnya' }).click()
  await expect(page.getByRole('img', { name: 'Bukti transfer dari pembeli' })).toBeVisible()
  await page.getByRole('button', { name: 'Konfirmasi lunas' }).click()
  await withReason(page, 'Konfirmasi lunas', 'Uangnya ada di rekening')

  await navigateInApp(page, '/admin/audit')
  for (const text of ['Selisih diselesaikan', 'Bukti transfer dibuka', 'Pesanan dikonfirmasi']) {
    await expect(page.getByRole('row').filter({ hasText: text }).first()).toBeVisible()
  }
  // The first change without a reason is refused.
  expect(changes.map(({ path }) => path.split('/')[3])).toEqual([
    'billing_differences',
    'billing_differences',
    'billing_differences',
    'orders',
  ])
  expect(await notRefused(server, changes)).toEqual([])
  expect(await notRefused(server, changes, own)).toEqual([])
})

test('a designer follows the mail to a new request, takes it, removes a result, and returns it to the board', async ({
  page,
  server,
}) => {
  const designer = await createDesigner(server, 'Danu')
  const { email } = await createAccount(server, 'Sekar')
  const own = await signInByApi(server, email)
  await askDesigner(server, own, { email, title: 'Kebaya nenek', pictures: [cat] })
  const { changes } = await enterAsStaff(page, server, designer)

  await page.goto(await linkIn(server, designer.email, /\/admin\/request-custom\?id=/))
  await expect(page.getByRole('heading', { name: /Kebaya nenek/ })).toBeVisible()
  await page.getByRole('button', { name: 'Buka cat.webp' }).click()
  await expect(page.getByRole('img', { name: 'cat.webp' })).toBeVisible()
  await page.getByRole('button', { name: 'Ambil' }).click()
  await expect(page.getByRole('button', { name: 'Kirim hasil' })).toBeDisabled()
  await expect(page.getByRole('heading', { name: /Kebaya nenek/ })).toBeFocused()
  await page.locator('input[type=file]').setInputFiles(coffee)
  await page.getByRole('button', { name: 'Hapus coffee.webp' }).click()
  await expect(page.getByText('Belum ada hasil.')).toBeVisible()
  await page.getByRole('button', { name: 'Kembalikan' }).click()
  await expect(page.getByRole('button', { name: 'Ambil' })).toBeVisible()

  await page.getByRole('link', { name: 'Papan' }).click()
  await page.getByRole('searchbox').fill('keba')
  await expect(page).toHaveURL(/search=keba/)
  await expect(page.getByRole('link', { name: /Kebaya nenek/ })).toBeVisible()
  await page.getByRole('link', { name: 'Milikku' }).click()
  await expect(page).toHaveURL(/mine=true/)
  await page.getByRole('searchbox').fill('tidak ada yang begini')
  await expect(page.getByRole('link', { name: /Kebaya nenek/ })).toHaveCount(0)

  expect(changes.map(({ method, path }) => `${method} ${path.split('/')[5]}`)).toEqual([
    'POST take',
    'POST results',
    'DELETE results',
    'POST return',
  ])
  expect(await notRefused(server, changes)).toEqual([])
  expect(await notRefused(server, changes, own)).toEqual([])
})
