import { expect, type Page } from '@playwright/test'
import { api, createAccount, linkIn, navigateInApp, signInByApi, signInOnDevice } from './support/account.ts'
import { admin } from './support/app-server.ts'
import { test } from './support/own-app.ts'
import type { RunningServer } from './support/server.ts'
import { violations } from './support/violations.ts'

const desktop = { width: 1440, height: 900 }

async function enter(page: Page, server: RunningServer, who: { email: string; password: string }): Promise<string> {
  const { access_token } = await api<{ access_token: string }>(server, '/api/login', {
    json: { ...who, remember: true },
  })
  await page.addInitScript((token) => localStorage.setItem('authToken', token), access_token)
  return access_token
}

test('on a desktop an admin finds a user and grants credits, which appear in the history and the audit log', async ({
  page,
  server,
}) => {
  await page.setViewportSize(desktop)
  const { email } = await createAccount(server, 'Melati')
  await enter(page, server, admin)
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: 'Dasbor' })).toBeVisible()
  await expect(page.getByText('Pendapatan').first()).toBeVisible()
  await page.getByRole('link', { name: '12 bulan' }).click()
  await expect(page).toHaveURL(/period=12m/)
  expect(await violations(page)).toEqual([])

  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(email)
  await expect(page.getByRole('option', { name: email })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Melati' })).toBeVisible()
  await page.getByRole('button', { name: 'Atur kredit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Jumlah').fill('40')
  await dialog.getByRole('button', { name: 'Beri kredit' }).click()
  await expect(dialog.getByText('Bagian ini wajib diisi')).toBeVisible()
  await dialog.getByLabel('Alasan').fill('Maaf atas gangguannya')
  await dialog.getByRole('button', { name: 'Beri kredit' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('link', { name: 'Riwayat kredit', exact: true }).last().click()
  await expect(page.getByText('Maaf atas gangguannya')).toBeVisible()
  await expect(page.getByText('+40')).toBeVisible()

  await navigateInApp(page, '/admin/audit?action=credits')
  const row = page.getByRole('row').filter({ hasText: 'Maaf atas gangguannya' })
  await expect(row).toContainText('credits.adjusted')
  await expect(row).toContainText('65')
  expect(await violations(page)).toEqual([])
})

test('on a phone a request for a designer is kept without a connection, arrives once, and comes back by mail', async ({
  page,
  context,
  server,
}) => {
  const { email } = await createAccount(server, 'Cempaka')
  await signInOnDevice(page, server, email)
  await page.goto('/customize-edit')
  await page.getByRole('button', { name: 'Kirim permintaan' }).tap()
  await expect(page.getByText('Bagian ini wajib diisi').first()).toBeVisible()
  await expect(page.getByLabel('Judul')).toBeFocused()
  await page.getByLabel('Judul').fill('Foto keluarga lama')
  await page.getByLabel('Nomor WhatsApp').fill('12345')
  await page.getByLabel('Permintaan', { exact: true }).fill('Tolong dicerahkan')
  await page.getByRole('button', { name: 'Kirim permintaan' }).tap()
  await expect(page.getByText(/Nomor WhatsApp tidak valid/)).toBeVisible()
  await page.getByLabel('Nomor WhatsApp').fill('0812 3456 7890')
  await page.locator('input[type=file]').setInputFiles('src/features/generations/app/samples/cat.webp')
  expect(await violations(page)).toEqual([])

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Kirim permintaan' }).tap()
  await expect(page.getByRole('dialog').getByText('Permintaanmu tersimpan')).toBeVisible()
  await context.setOffline(false)
  const own = await signInByApi(server, email)
  const mine = () => api<{ items: { status: string }[] }>(server, '/api/custom_edits', { token: own })
  await expect.poll(async () => (await mine()).items.length).toBe(1)
  await navigateInApp(page, '/history')
  await expect(page.getByText('Foto keluarga lama')).toBeVisible()
  await expect(page.getByText('Menunggu desainer')).toBeVisible()

  const staff = await page.context().browser()?.newContext({ viewport: desktop, baseURL: server.origin })
  const board = await staff?.newPage()
  if (!board) throw new Error('no second window')
  await enter(board, server, admin)
  await board.goto('/admin/request-custom')
  await board.getByRole('link', { name: /Foto keluarga lama/ }).click()
  await board.getByRole('button', { name: 'Ambil' }).click()
  await board.locator('input[type=file]').setInputFiles('src/features/generations/app/samples/coffee.webp')
  await expect(board.getByText('coffee.webp')).toBeVisible()
  await board.getByRole('button', { name: 'Kirim hasil' }).click()
  await board.getByRole('dialog').getByRole('button', { name: 'Kirim hasil' }).click()
  await expect(board.getByText('Selesai').first()).toBeVisible()
  await staff?.close()

  const link = await linkIn(server, email, /custom_edit_results/)
  const result = await fetch(link)
  expect([result.status, result.headers.get('content-type')]).toEqual([200, 'image/webp'])
  await page.goto('/history')
  const seen = page.getByRole('link', { name: 'Hasil 1' }).locator('img')
  await expect.poll(() => seen.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
  await expect(page.getByText('Sudah cocok? Tidak perlu apa-apa lagi.')).toBeVisible()
  await page.getByRole('button', { name: 'Minta versi kedua' }).tap()
  await page.getByLabel('Pesan').fill('Lebih terang, ya')
  await page.getByRole('button', { name: 'Kirim', exact: true }).tap()
  await expect(page.getByRole('button', { name: 'Tulis pesan' })).toBeFocused()
})
