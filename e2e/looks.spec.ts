import { expect } from '@playwright/test'
import { api, createAccount, signInByApi, signInOnDevice } from './support/account.ts'
import { test } from './support/app.ts'
import { badNetwork } from './support/proxy.ts'
import { photo } from './support/send-photo.ts'

test.use({ serviceWorkers: 'allow' })

test('options are kept under a name and applied without the network, and a logo waits for it', {
  tag: '@soak',
}, async ({ page, server }) => {
  const network = await badNetwork(server.port)
  const { email } = await createAccount(server, 'Sari')
  await signInOnDevice(page, network, email)
  await page.goto(`${network.origin}/ai-enhancement`)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.locator('input[type="file"]:not([capture])').first().setInputFiles(photo)
  const twice = page.getByRole('radio', { name: /^2/ })
  const four = page.getByRole('radio', { name: /^4/ })
  const mine = page.getByRole('button', { name: 'Setelanku' })
  const sheet = page.getByRole('dialog')
  const look = (name: string) => sheet.getByRole('button', { name, exact: true })
  const name = async (text: string) => {
    await sheet.getByRole('textbox', { name: 'Nama' }).fill(text)
    await look('Simpan').tap()
  }
  await four.check({ force: true })
  await mine.tap()
  await look('Simpan setelan ini').tap()
  await look('Simpan').tap()
  await expect(sheet.getByText('Bagian ini wajib diisi')).toBeVisible()
  await name('Cetak')
  await look('Simpan setelan ini').tap()
  await name('Cetak besar')
  await sheet.getByRole('button', { name: 'Ganti nama Cetak besar' }).tap()
  await name('Cetak')
  await expect(sheet.getByText('Nama ini sudah dipakai setelan lain')).toBeVisible()
  await name('Poster')
  await expect(look('Poster')).toBeVisible()
  await sheet.getByRole('button', { name: 'Hapus Cetak' }).tap()
  await expect(look('Cetak')).toHaveCount(0)

  // Reopened offline, with the photo.
  await network.disconnect()
  await page.reload()
  await twice.check({ force: true })
  await mine.tap()
  await look('Poster').tap()
  await expect(four).toBeChecked()

  // A logo chosen here is used at once, and reaches the account from any page.
  await page.goto(`${network.origin}/ai-background-removal`)
  await page.locator('input[type="file"]:not([capture])').first().setInputFiles(photo)
  await page.getByRole('button', { name: 'Logo', exact: true }).tap()
  await page.getByLabel('Pilih gambar logo').setInputFiles(photo)
  await expect(page.getByRole('switch', { name: 'Pasang logo' })).toBeChecked()
  await page.goto(`${network.origin}/pricing`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await network.reconnect()
  const token = await signInByApi(server, email)
  const kept = async () => (await api<{ picture: string | null }>(server, '/api/user/logo', { token })).picture
  await expect.poll(kept).toMatch(/^data:image\/png/)
  await network.close()
})
