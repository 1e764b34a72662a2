import { expect } from '@playwright/test'
import sharp from 'sharp'
import { api, createAccount, navigateInApp, password, signInByApi } from './support/account.ts'
import { generate } from './support/generate.ts'
import { test } from './support/own-app.ts'
import type { RunningServer } from './support/server.ts'
import { askDesigner, enterAsStaff, notRefused, placeOrder, withReason } from './support/staff.ts'

// Not the time zone in which the shop counts days.
test.use({ timezoneId: 'Asia/Jayapura' })

test('only admins change orders, prices, packages, the rate, vouchers and presets; errors show beside the fields', {
  tag: '@soak',
}, async ({ page, server }) => {
  const { email } = await createAccount(server, 'Anggrek')
  const buyer = await signInByApi(server, email)
  const [paid, cancelled] = [await placeOrder(server, buyer), await placeOrder(server, buyer, 'bsi')]
  const { changes } = await enterAsStaff(page, server)
  const dialog = page.getByRole('dialog')

  await page.goto(`/admin/billing/${paid}`)
  await page.getByRole('button', { name: 'Konfirmasi lunas' }).click()
  await dialog.getByLabel('Rupiah yang masuk').fill('166000')
  await withReason(page, 'Konfirmasi lunas', 'Uangnya sudah masuk')
  // The page is up to date as soon as the dialog is gone.
  expect(await page.getByRole('button', { name: 'Konfirmasi lunas' }).count()).toBe(0)
  await expect(page.getByText('Lunas').first()).toBeVisible()
  await expect(page.getByText('Rp 166.000', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Kembalikan uang' }).click()
  await dialog.getByLabel('Rupiah yang dikirim kembali').fill('166001')
  await dialog.getByLabel('Nomor transfer').fill('BCA-0099')
  await dialog.getByLabel('Alasan untuk pembeli').fill('Salah beli')
  await dialog.getByRole('button', { name: 'Catat pengembalian' }).click()
  await expect(dialog.getByText('1 sampai Rp 166.000')).toBeVisible()
  await dialog.getByLabel('Rupiah yang dikirim kembali').fill('83000')
  await dialog.getByRole('button', { name: 'Catat pengembalian' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/249 kredit diambil kembali · BCA-0099/)).toBeVisible()
  await navigateInApp(page, `/admin/billing/${cancelled}`)
  await page.getByRole('button', { name: 'Batalkan pesanan' }).click()
  await withReason(page, 'Batalkan pesanan', 'Pesanan ganda')
  await expect(page.getByText('Pesanan ganda')).toBeVisible()

  await navigateInApp(page, '/admin/kredit/harga')
  await page
    .getByRole('row', { name: /STARTER/ })
    .getByRole('button', { name: 'Ubah' })
    .click()
  await dialog.getByLabel('Dolar').fill('0')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(dialog.getByText(/sampai US?\$|\$.* sampai/)).toBeVisible()
  await dialog.getByLabel('Dolar').fill('12')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Paket baru' }).click()
  for (const [label, text] of [
    ['Nama', 'MINI'],
    ['Dolar', '1'],
    ['Kredit', '30'],
  ] as const) {
    await dialog.getByLabel(label, { exact: true }).fill(text)
  }
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(page.getByRole('row', { name: /MINI/ })).toContainText('Dijual')
  await page.getByRole('row', { name: /MINI/ }).getByRole('button', { name: 'Ubah' }).click()
  await dialog.getByLabel('Dijual').uncheck()
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(page.getByRole('row', { name: /MINI/ })).toContainText('Tidak dijual')
  await page
    .getByRole('row', { name: /Pewarna|Colorizer|Warna/ })
    .getByRole('button', { name: 'Ubah' })
    .click()
  await dialog.getByLabel('Kredit per satuan').fill('1000000')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(dialog.getByText('0 sampai 100.000 kredit')).toBeVisible()
  await dialog.getByLabel('Kredit per satuan').fill('8')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: /Kurs/ }).click()
  await dialog.getByLabel('Rupiah untuk satu dolar').fill('16600')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(page.getByRole('button', { name: /16\.600/ })).toBeVisible()

  await navigateInApp(page, '/admin/pasfoto')
  await page.getByRole('button', { name: /SSCASN/ }).click()
  await dialog.getByLabel('KB paling besar').fill('5')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(dialog.getByText(/10 sampai 5000/)).toBeVisible()
  await dialog.getByLabel('KB paling besar').fill('180')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row', { name: /SSCASN/ })).toContainText('sampai 180 KB')

  await navigateInApp(page, '/admin/voucher')
  await page.getByRole('button', { name: 'Voucher baru' }).click()
  await dialog.getByLabel('Kode').fill('ANGGREK-1')
  await dialog.getByLabel('Kredit', { exact: true }).fill('10')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await page.getByRole('button', { name: 'ANGGREK-1' }).click()
  await dialog.getByLabel('Batas total').fill('7')
  await dialog.getByLabel('Sampai').fill('2027-01-31')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect(page.getByRole('row', { name: /ANGGREK-1/ })).toContainText('/ 7')
  await expect(page.getByRole('row', { name: /ANGGREK-1/ })).toContainText('sampai 31 Januari 2027')
  const active = page.getByRole('switch', { name: 'ANGGREK-1 aktif' })
  await active.click()
  await expect(active).not.toBeChecked()

  expect(new Set(changes.map(({ path }) => path.split('/')[3]))).toEqual(
    new Set(['orders', 'packages', 'tool_prices', 'idr_rate', 'passport_presets', 'vouchers']),
  )
  expect(await notRefused(server, changes)).toEqual([])
  expect(await notRefused(server, changes, buyer)).toEqual([])
})

test('a role, a closed account and removed credits appear in the account’s history; a request is declined with a note', {
  tag: '@soak',
}, async ({ page, server }) => {
  const { email } = await createAccount(server, 'Dahlia')
  const own = await signInByApi(server, email)
  const { token, changes } = await enterAsStaff(page, server)
  const { items } = await api<{ items: { id: string }[] }>(server, `/api/admin/users?search=${email}`, { token })
  for (const title of ['Satu', 'Dua', 'Tiga', 'Empat', 'Lima', 'Enam']) {
    const id = await askDesigner(server, own, { email, title })
    await api(server, `/api/admin/custom_edits/${id}/decline`, { token, json: { reason: 'Terlalu kecil' } })
  }
  await askDesigner(server, own, { email, title: 'Poster lama' })
  const dialog = page.getByRole('dialog')
  await page.goto(`/admin/users/${items[0]?.id}`)
  await page.getByRole('button', { name: 'Atur kredit' }).click()
  await dialog.getByLabel('Jumlah').fill('0')
  await dialog.getByRole('button', { name: 'Beri kredit' }).click()
  await expect(dialog.getByText(/Bilangan bulat selain 0/)).toBeVisible()
  await expect(dialog.getByText('Bagian ini wajib diisi')).toBeVisible()
  await dialog.getByLabel('Alasan').fill('Salah beri')
  await dialog.getByLabel('Tindakan').selectOption('take')
  await dialog.getByLabel('Jumlah').fill('5')
  await dialog.getByRole('button', { name: 'Ambil kredit' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Ubah peran' }).click()
  await dialog.getByLabel('Peran').selectOption('designer')
  await withReason(page, 'Simpan', 'Bergabung dengan tim')
  await expect(page.getByText('Bergabung dengan tim')).toBeVisible()
  await page.getByRole('button', { name: 'Nonaktifkan' }).click()
  await withReason(page, 'Nonaktifkan', 'Sedang cuti')
  await page.getByRole('button', { name: 'Aktifkan akun' }).click()
  await withReason(page, 'Aktifkan akun', 'Sudah kembali')

  await navigateInApp(page, '/admin/request-custom')
  const declined = page.getByRole('region', { name: 'Tidak bisa dikerjakan' })
  await expect(declined.getByRole('link')).toHaveCount(5)
  await declined.getByRole('button', { name: 'Tampilkan lebih banyak' }).click()
  await expect(declined.getByRole('link')).toHaveCount(6)
  await page.getByRole('link', { name: /Poster lama/ }).click()
  await page.getByLabel('Catatan baru').fill('Gambarnya terlalu kecil')
  await page.getByRole('button', { name: 'Simpan' }).click()
  await expect(page.getByText('Gambarnya terlalu kecil')).toBeVisible()
  await page.getByRole('button', { name: 'Tolak' }).click()
  await dialog.getByLabel('Alasan untuk pelanggan').fill('Fotonya terlalu kecil untuk dicetak')
  await dialog.getByRole('button', { name: 'Tolak' }).click()
  await expect(page.getByText('Fotonya terlalu kecil untuk dicetak')).toBeVisible()

  await navigateInApp(page, '/admin/keamanan')
  await page.getByLabel('Peristiwa').selectOption('staff_action')
  await expect(page).toHaveURL(/kind=staff_action/)
  await expect(page.getByText('PATCH /api/admin/users/:id').first()).toBeVisible()

  const { email: other } = await createAccount(server, 'Lili')
  expect(await notRefused(server, changes, await signInByApi(server, other))).toEqual([])
  // Dahlia is a designer by now, who must not change accounts.
  const ofAdmins = changes.filter(({ path }) => !path.startsWith('/api/admin/custom_edits'))
  const designer = await api<{ access_token: string }>(server, '/api/login', {
    json: { email, password, remember: true },
  })
  expect(await notRefused(server, ofAdmins, designer.access_token)).toEqual([])
})

/** Three are refunded at once, the fourth waits for an admin. */
async function fourRefundRequests(server: RunningServer, token: string): Promise<void> {
  const picture = await sharp('src/features/generations/app/samples/cat.webp').resize(160).webp().toBuffer()
  const generations = await Promise.all(
    [1, 2, 3, 4].map(() => generate(server, token, picture, { name: 'kucing.webp' })),
  )
  for (const { id } of generations) {
    const status = async () => (await api<{ status: string }>(server, `/api/generations/${id}`, { token })).status
    await expect.poll(status).toBe('succeeded')
    await api(server, `/api/generations/${id}/claim`, { token, json: { reason: 'Kumisnya hilang' } })
  }
}

test('a refund request is decided after a look at its picture, and money that does not fit is settled', {
  tag: '@soak',
}, async ({ page, server }) => {
  const { email } = await createAccount(server, 'Teratai')
  const own = await signInByApi(server, email)
  await fourRefundRequests(server, own)
  const order = await placeOrder(server, own)
  const { payment } = await api<{ payment: { url: string } }>(server, `/api/orders/${order}`, { token: own })
  const session = new URL(payment.url, server.origin).pathname.split('/').at(-1)
  await api(server, `/api/simulator/${session}/pay_wrong`, { json: {} })
  const { changes } = await enterAsStaff(page, server)

  await page.goto('/admin/klaim')
  const request = page.getByRole('row').filter({ hasText: 'Teratai' })
  await expect(page.getByRole('link', { name: /Permintaan kredit kembali/ })).toContainText('1 menunggu')
  // By keyboard.
  await expect(request).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Buka hasil' }).click()
  await expect(dialog.getByRole('img', { name: 'Hasil' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Kembalikan kredit' }).click()
  await dialog.getByLabel('Jawaban untuk pengguna').fill('Kumisnya memang hilang, maaf ya')
  await dialog.getByRole('button', { name: 'Kembalikan kredit' }).click()
  await expect(request).toHaveCount(0)
  await expect(page.getByRole('link', { name: /Permintaan kredit kembali/ })).not.toContainText('menunggu')

  await navigateInApp(page, '/admin/billing?problem=true')
  await page.getByRole('link', { name: /Teratai/ }).click()
  await page.getByRole('button', { name: 'Selesaikan' }).click()
  await withReason(page, 'Selesaikan', 'Selisihnya dikembalikan lewat transfer')
  await expect(page.getByText('Selisihnya dikembalikan lewat transfer')).toBeVisible()

  await navigateInApp(page, '/admin/audit?action=claim')
  for (const action of ['claim.picture_opened', 'claim.accepted']) {
    await expect(page.getByText(action).first()).toBeVisible()
  }
  expect(changes.map(({ path }) => path.split('/')[3])).toEqual(['claims', 'payments'])
  expect(await notRefused(server, changes)).toEqual([])
  expect(await notRefused(server, changes, own)).toEqual([])
})
