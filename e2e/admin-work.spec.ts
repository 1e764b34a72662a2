import { readFile } from 'node:fs/promises'
import { devices, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { api, createAccount, linkIn, navigateInApp, password, signInByApi, signInOnScreen } from './support/account.ts'
import { admin, callbackToken } from './support/app-server.ts'
import { generate } from './support/generate.ts'
import { expectMessage } from './support/messages.ts'
import { test } from './support/own-app.ts'
import type { RunningServer } from './support/server.ts'
import { askDesigner, enterAsStaff, notRefused, placeOrder, withReason } from './support/staff.ts'
import { violations } from './support/violations.ts'

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

test('staff retry a failed generation, require an AI mark, create a preset and decline a refund request', {
  tag: '@soak',
}, async ({ page, server }) => {
  const { email } = await createAccount(server, 'Seroja')
  const own = await signInByApi(server, email)
  const grey = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#8a8a8a' } })
    .png()
    .toBuffer()
  const photo = await sharp(cat).resize(160).webp().toBuffer()
  const all = [grey, photo, photo, photo, photo]
  const generations = await Promise.all(all.map((picture) => generate(server, own, picture)))
  const [failed, ...good] = generations.map(({ id }) => id)
  const status = async (id: string | undefined) =>
    (await api<{ status: string }>(server, `/api/generations/${id}`, { token: own })).status
  await expect.poll(() => status(failed)).toBe('failed')
  for (const id of good) {
    await expect.poll(() => status(id)).toBe('succeeded')
    await api(server, `/api/generations/${id}/claim`, { token: own, json: { reason: 'Tepinya kasar' } })
  }
  const { changes } = await enterAsStaff(page, server)
  const dialog = page.getByRole('dialog')

  await page.goto('/admin/fitur')
  await page
    .getByRole('link', { name: /Hapus Latar/ })
    .first()
    .click()
  await expect(dialog.getByText('sampai 25 MB, 50 megapiksel').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Jalankan lagi' }).click()
  await expect(page.getByText('Dijalankan lagi tanpa biaya.')).toBeVisible()
  await page.goto('/admin/fitur?tool=swap-face')
  const mark = dialog.getByRole('switch', { name: /Diedit AI/ })
  await mark.click()
  await expect(mark).toBeChecked()
  await page.reload()
  await expect(mark).toBeChecked()
  await mark.click()
  await expect(mark).not.toBeChecked()

  await navigateInApp(page, '/admin/pasfoto')
  await page.getByRole('button', { name: 'Preset baru' }).click()
  await dialog.getByLabel('ID').fill('kartu-anggota')
  await dialog.getByLabel('Nama (Indonesia)').fill('Kartu anggota')
  await dialog.getByLabel('Nama (Inggris)').fill('Membership card')
  await dialog.getByLabel('Aturan dalam satu kalimat').fill('Wajah terlihat jelas')
  await dialog.getByLabel('Kalimat itu dalam bahasa Inggris').fill('The face is clearly visible')
  await dialog.getByLabel('Sumber', { exact: true }).fill('Koperasi')
  await dialog.getByLabel('Per tanggal').fill('2026')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(page.getByRole('row', { name: /Kartu anggota/ })).toContainText('Ditawarkan')

  await navigateInApp(page, '/admin/klaim')
  const request = page.getByRole('row').filter({ hasText: 'Seroja' })
  await request.getByRole('button').click()
  await dialog.getByRole('button', { name: 'Tolak' }).click()
  await dialog.getByLabel('Jawaban untuk pengguna').fill('Hasilnya sesuai fotonya')
  await dialog.getByRole('button', { name: 'Tolak' }).click()
  await expect(request).toHaveCount(0)

  await navigateInApp(page, '/admin/audit')
  for (const text of [
    'Dijalankan lagi',
    'Pengaturan alat diubah',
    'Preset diubah',
    'Permintaan kredit kembali ditolak',
  ]) {
    await expect(page.getByRole('row').filter({ hasText: text }).first()).toBeVisible()
  }
  expect(new Set(changes.map(({ path }) => path.split('/')[3]))).toEqual(
    new Set(['generations', 'tools', 'passport_presets', 'claims']),
  )
  expect(await notRefused(server, changes)).toEqual([])
  expect(await notRefused(server, changes, own)).toEqual([])
})

test('on a phone an untaken request can be withdrawn, a taken one cannot', { tag: '@soak' }, async ({
  page,
  server,
}) => {
  const { email } = await createAccount(server, 'Wulan')
  const own = await signInByApi(server, email)
  const designer = await createDesigner(server, 'Gilang')
  const taken = await askDesigner(server, own, { email, title: 'Foto wisuda' })
  await askDesigner(server, own, { email, title: 'Salah kirim' })
  // Without events the list becomes outdated.
  await page.route('**/api/events*', (route) => route.abort())
  await page.goto('/login')
  await signInOnScreen(page, email)
  await page.goto('/history')
  const requests = page.getByRole('region', { name: 'Edit khusus' }).getByRole('listitem')
  const late = requests.filter({ hasText: 'Foto wisuda' })
  const wrong = requests.filter({ hasText: 'Salah kirim' })
  await wrong.getByRole('button', { name: 'Tarik permintaan' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Tarik', exact: true }).tap()
  await expectMessage(page, 'Permintaanmu sudah ditarik.')
  await expect(requests).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Edit khusus' })).toBeFocused()

  const token = await signInByApi(server, designer.email)
  await api(server, `/api/admin/custom_edits/${taken}/take`, { token, json: {} })
  await late.getByRole('button', { name: 'Tarik permintaan' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Tarik', exact: true }).tap()
  await expectMessage(page, 'Permintaan ini sudah diambil.')
  await expect(late.getByText('Sedang dikerjakan')).toBeVisible()
})

test('on a phone a result goes to a designer with its picture', { tag: '@soak' }, async ({ page, server }) => {
  const { email } = await createAccount(server, 'Rukmini')
  const token = await signInByApi(server, email)
  const { id: result } = await generate(server, token, await readFile(cat))
  const status = async () => (await api<{ status: string }>(server, `/api/generations/${result}`, { token })).status
  await expect.poll(status).toBe('succeeded')
  await page.goto('/login')
  await signInOnScreen(page, email)
  await page.goto(`/history?id=${result}`)
  await page.getByRole('button', { name: 'Pilihan lain' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Minta desainer' }).tap()
  await expect(page).toHaveURL(/\/customize-edit$/)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByLabel('Judul').fill('Latarnya jadi pantai')
  await page.getByLabel('Nomor WhatsApp').fill('0812 3456 7890')
  await page.getByLabel('Permintaan', { exact: true }).fill('Dengan cahaya sore')
  await page.getByRole('button', { name: 'Kirim permintaan' }).tap()
  const mine = async () => {
    const { items } = await api<{ items: { generationId: string; attachments: object[] }[] }>(
      server,
      '/api/custom_edits',
      { token },
    )
    return items.map(({ generationId, attachments }) => [generationId, attachments.length])
  }
  await expect.poll(mine).toEqual([[result, 1]])
})

async function csvOf(page: Page, path: string): Promise<string[]> {
  await page.goto(path)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Ekspor CSV' }).click(),
  ])
  return (await readFile(await download.path(), 'utf8')).replace('\ufeff', '').split('\r\n')
}

test('errors are explained beside the fields, in both languages, and another admin’s change is never overwritten', {
  tag: '@soak',
}, async ({ page, server }) => {
  const { email } = await createAccount(server, 'Kamboja')
  const own = await signInByApi(server, email)
  const order = await placeOrder(server, own)
  const { token } = await enterAsStaff(page, server)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const byAnother = (method: string, path: string, json: object) =>
    fetch(`${server.origin}/api/admin${path}`, { method, headers, body: JSON.stringify(json) })
  const dialog = page.getByRole('dialog')
  const save = () => dialog.locator('button[type=submit]').click()

  await page.goto(`/admin/billing/${order}`)
  await page.getByRole('button', { name: 'Konfirmasi lunas' }).click()
  await byAnother('POST', `/orders/${order}/cancel`, { reason: 'Dibatalkan lebih dulu', status: 1 })
  await dialog.getByLabel('Alasan').fill('Uangnya masuk')
  await save()
  await expect(dialog.getByText('Sudah diubah orang lain sejak kamu membukanya', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Lihat yang terbaru' }).click()
  await expect(page.getByText('Dibatalkan lebih dulu')).toBeVisible()

  const { items } = await api<{ items: { id: string }[] }>(server, `/api/admin/users?search=${email}`, { token })
  await navigateInApp(page, `/admin/users/${items[0]?.id}`)
  await page.getByRole('button', { name: 'Atur kredit' }).click()
  await dialog.getByLabel('Tindakan').selectOption('take')
  await dialog.getByLabel('Jumlah').fill('26')
  await dialog.getByLabel('Alasan').fill('Terlalu banyak')
  await save()
  await expect(dialog.getByText('Saldonya tidak sebanyak itu')).toBeVisible()
  await dialog.getByLabel('Jumlah').fill('10000001')
  await save()
  await expect(dialog.getByText(/paling banyak 10\.000\.000/)).toBeVisible()

  await navigateInApp(page, '/admin/voucher')
  await page.getByRole('button', { name: 'Voucher baru' }).click()
  await dialog.getByLabel('Kode').fill('KAMBOJA')
  await dialog.getByLabel('Kredit', { exact: true }).fill('-5')
  await dialog.getByLabel('Mulai').fill('2027-02-01')
  await dialog.getByLabel('Sampai').fill('2027-01-01')
  await save()
  await expect(dialog.getByText('1 sampai 10.000.000').first()).toBeVisible()
  await dialog.getByLabel('Kredit', { exact: true }).fill('5')
  await save()
  await expect(dialog.getByText('Harus setelah tanggal mulai')).toBeVisible()
  await dialog.getByLabel('Sampai').fill('2027-03-01')
  await save()
  await expect(dialog).toBeHidden()

  await page.evaluate(() => localStorage.setItem('language', 'en'))
  await page.goto('/admin/voucher')
  await page.getByRole('button', { name: 'KAMBOJA' }).click()
  const vouchers = await api<{ items: { id: string }[] }>(server, '/api/admin/vouchers?code=KAMBOJA', { token })
  expect((await byAnother('PATCH', `/vouchers/${vouchers.items[0]?.id}`, { limitTotal: 3 })).status).toBe(200)
  await dialog.getByLabel('Limit in total').fill('9')
  await save()
  await expect(dialog.getByText('Someone else has changed this since you opened it', { exact: false })).toBeVisible()
  await navigateInApp(page, '/admin/kredit/harga')
  for (const dollars of ['0', '1000000']) {
    await page.getByRole('row', { name: /BASIC/ }).getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Dollars').fill(dollars)
    await save()
    await expect(dialog.getByText('$0.01 to $10,000')).toBeVisible()
    await page.keyboard.press('Escape')
  }
  await navigateInApp(page, '/admin/dashboard?period=13d')
  await expect(page.getByRole('link', { name: '30 days' })).toHaveAttribute('aria-current', 'page')
  await navigateInApp(page, '/admin/kredit/riwayat?from=2026-02-01&to=2026-01-01')
  await expect(page.getByText('The start date must be before the end date.')).toBeVisible()
})

test('every list is saved as a file', { tag: '@soak' }, async ({ page, server }) => {
  await placeOrder(server, await signInByApi(server, (await createAccount(server, 'Tanjung')).email))
  const { token } = await enterAsStaff(page, server)
  await api(server, '/api/admin/vouchers', { token, json: { code: 'TANJUNG', kind: 'free_credits', value: 5 } })
  const firsts = []
  for (const path of ['billing', 'voucher', 'kredit/riwayat', 'audit', 'keamanan']) {
    const [head, first] = await csvOf(page, `/admin/${path}`)
    expect(first?.split(',').length, path).toBeGreaterThanOrEqual(head?.split(',').length ?? 99)
    firsts.push(head?.split(',').slice(0, 2).join())
  }
  const at = '"id","at_wib"'
  expect(firsts).toEqual(['"id","created_at_wib"', '"code","kind"', at, at, at])
})

test('an announcement is shown above the pages in its time, also offline, until it is closed', {
  tag: '@soak',
}, async ({ page, browser, server }) => {
  await enterAsStaff(page, server)
  await page.goto('/admin/pengumuman')
  const dialog = page.getByRole('dialog')
  const inTwoHours = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 16)
  for (const [text, from] of [
    ['Besok server dirawat', ''],
    ['Diskon dua kali lipat', inTwoHours],
  ] as const) {
    await page.getByRole('button', { name: 'Pengumuman baru' }).click()
    await dialog.getByLabel('Teks (Indonesia)').fill(text)
    if (from) await dialog.getByLabel('Mulai (WIB)').fill(from)
    await dialog.getByRole('button', { name: 'Simpan' }).click()
    await expect(dialog.getByText('Bagian ini wajib diisi')).toBeVisible()
    await dialog.getByLabel('Teks (Inggris)').fill('In English')
    await dialog.getByRole('button', { name: 'Simpan' }).click()
    await expect(dialog).toBeHidden()
  }
  await expect(page.getByRole('row', { name: /Diskon.*Terjadwal/ })).toBeVisible()
  expect(await violations(page)).toEqual([])

  const phone = await browser.newPage({ ...devices['Pixel 7'], locale: 'id-ID', baseURL: server.origin })
  const announcement = phone.getByRole('region', { name: 'Pengumuman' })
  await phone.goto('/pricing')
  await expect(announcement).toHaveText('Besok server dirawat')
  expect(await violations(phone)).toEqual([])
  await phone.route('**/api/announcements', (route) => route.abort())
  await phone.reload()
  await expect(announcement).toHaveText(['Besok server dirawat'])
  await announcement.getByRole('button', { name: 'Tutup pengumuman' }).click()
  await expect(announcement).toHaveCount(0)
  await phone.reload()
  await expect(phone.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(announcement).toHaveCount(0)
  await phone.close()
})
