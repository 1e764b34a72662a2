import { expect } from '@playwright/test'
import { createAccount } from './support/account.ts'
import { test } from './support/own-app.ts'
import { balanceOf, generationsOf, openStudio, submitPhoto } from './support/send-photo.ts'

test.use({ serviceWorkers: 'allow' })

test('a portrait sent while the server is gone waits, survives closing the app and arrives exactly once', async ({
  context,
  page,
  server,
}) => {
  const { email } = await createAccount(server, 'Siti')
  await openStudio(page, server, email)
  await server.stop()
  await submitPhoto(page)
  await expect(page.getByText('Menunggu koneksi').first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Kamu sedang offline' })).toBeAttached()
  await page.getByRole('button', { name: /^Unggahan: 1/ }).tap()
  const row = page.getByRole('dialog').getByRole('listitem')
  await expect(row).toContainText('Hapus Latar')
  await expect(row).toContainText('5 kredit')
  await expect(row).toContainText('Menunggu koneksi')
  await expect(row.locator('img')).toBeVisible()
  await page.close()

  await server.start()
  expect(await generationsOf(server, email)).toEqual([])
  const again = await context.newPage()
  await again.goto(`${server.origin}/history`)
  await expect.poll(async () => (await generationsOf(server, email)).length).toBe(1)
  await expect(again.getByRole('button', { name: /^Unggahan/ })).toHaveCount(0)
  await again.reload()
  await expect.poll(async () => (await generationsOf(server, email))[0]?.status).toBe('succeeded')
  expect(await generationsOf(server, email)).toHaveLength(1)
  expect(await balanceOf(server, email)).toBe(20)
  await expect(again.getByLabel('Saldo: 20 kredit').first()).toBeVisible()
})
