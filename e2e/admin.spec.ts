import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { api, createAccount, linkIn, navigateInApp, password, signInByApi, signInOnScreen } from './support/account.ts'
import { admin } from './support/app-server.ts'
import { chooseAppearance } from './support/appearance.ts'
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

test('a list keeps its search, order and page in the address, and saves all of it as a file', async ({
  page,
  server,
}) => {
  await page.setViewportSize(desktop)
  for (const name of ['Kenanga', 'Kemuning']) await createAccount(server, name)
  await enter(page, server, admin)
  await page.goto('/admin/users')
  await page.getByRole('searchbox').fill('ken')
  await expect(page).toHaveURL(/search=ken/)
  await expect(page.getByRole('link', { name: /Kemuning/ })).toBeHidden()
  await page.getByRole('searchbox').fill('ke')
  await page.getByRole('button', { name: 'Nama' }).click()
  await expect(page).toHaveURL(/sort=name/)
  await expect(page.locator('tbody a').first()).toContainText('Kemuning')
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('ke')
  await expect(page.locator('tbody a').first()).toContainText('Kemuning')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Ekspor CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  expect(text.split('\r\n').filter((line) => line.includes('@contoh.test')).length).toBeGreaterThanOrEqual(2)
  await page.getByRole('searchbox').fill('tidak-ada-yang-begini')
  await expect(page.getByText('Tidak ada pengguna yang cocok')).toBeVisible()
  await page.getByRole('navigation', { name: 'Navigasi admin' }).getByRole('link', { name: 'Pengguna' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(page.getByRole('link', { name: /Kemuning/ })).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/users$/)
})

test('a tool is switched off with a message and on again, and a voucher whose code exists is refused in words', async ({
  page,
  server,
}) => {
  await page.setViewportSize(desktop)
  await chooseAppearance(page, { theme: 'dark', language: 'en' })
  const token = await enter(page, server, admin)
  await page.goto('/admin/fitur')
  const toggle = page.getByRole('switch', { name: 'Object Removal is on' })
  await toggle.click()
  await page.getByLabel('Message to users').fill('Kembali besok')
  await page.getByLabel('Message in English').fill('Back tomorrow')
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await expect(toggle).not.toBeChecked()
  await expect(page.getByText('Back tomorrow')).toBeVisible()
  const tool = await page.context().newPage()
  await tool.goto('/ai-object-removal')
  await expect(tool.getByText('Back tomorrow')).toBeVisible()
  await expect(tool.getByRole('region', { name: 'Choose a photo' })).toHaveCount(0)
  await tool.close()
  await toggle.click()
  await expect(toggle).toBeChecked()
  const isOn = async () => {
    const { items } = await api<{ items: { tool: string; enabled: boolean }[] }>(server, '/api/admin/tools', { token })
    return items.find(({ tool }) => tool === 'object-removal')?.enabled
  }
  await expect.poll(isOn).toBe(true)
  expect(await violations(page)).toEqual([])

  await navigateInApp(page, '/admin/voucher')
  for (const outcome of ['made', 'taken']) {
    await page.getByRole('button', { name: 'New voucher' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Code').fill('HALO-2026')
    await dialog.getByLabel('Credits').fill('10')
    await dialog.getByRole('button', { name: 'Save' }).click()
    if (outcome === 'made') await expect(page.getByRole('button', { name: 'HALO-2026' })).toBeVisible()
    else await expect(dialog.getByText('This code is taken')).toBeVisible()
  }
})

test('on a phone a request for a designer is kept without a connection, arrives once, and comes back by mail', async ({
  page,
  context,
  server,
}) => {
  const { email } = await createAccount(server, 'Cempaka')
  await page.goto('/login')
  await signInOnScreen(page, email)
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
  await page.goto('/history')
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

test('on a phone lists are sorted by their headings, and the navigation is in a drawer', async ({ page, server }) => {
  await enter(page, server, admin)
  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'Nama' }).tap()
  await expect(page).toHaveURL(/sort=name/)
  await page.getByRole('button', { name: 'Menu' }).tap()
  await page.getByRole('link', { name: 'Pembukuan' }).tap()
  await expect(page.getByRole('heading', { name: 'Pembukuan' })).toBeVisible()
})

test('on a phone the drawer keeps the focus inside, Escape gives it back, and its appearance is saved with the account', async ({
  page,
  server,
}) => {
  const token = await enter(page, server, admin)
  await page.goto('/admin/users')
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.tap()
  await expect(page.getByRole('dialog', { name: 'Area admin' })).toBeVisible()
  await expect(page.locator('dialog:focus, dialog :focus')).toBeAttached()
  // The page behind must not take the focus.
  await page.locator('input[type=search]').focus()
  await expect(page.locator('input[type=search]')).not.toBeFocused()
  await page.getByRole('button', { name: 'Tampilan gelap' }).tap()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  const saved = async () =>
    (await api<{ theme: { mode: string } | null }>(server, '/api/user/me', { token })).theme?.mode
  await expect.poll(saved).toBe('dark')
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await expect(page.getByRole('link', { name: 'Pembukuan' })).toBeHidden()
})

test('a designer may use only the board', async ({ page, server }) => {
  const { email } = await createAccount(server, 'Dinda')
  const { access_token: token } = await api<{ access_token: string }>(server, '/api/login', {
    json: { ...admin, remember: true },
  })
  const { items } = await api<{ items: { id: string }[] }>(server, `/api/admin/users?search=${email}`, { token })
  await fetch(`${server.origin}/api/admin/users/${items[0]?.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'designer', reason: 'Bergabung' }),
  })
  await page.setViewportSize(desktop)
  await enter(page, server, { email, password })
  await page.goto('/admin/users')
  await expect(page).toHaveURL(/\/admin\/request-custom$/)
  await expect(page.getByRole('heading', { name: 'Permintaan khusus' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Navigasi admin' }).getByRole('link')).toHaveCount(1)
})
