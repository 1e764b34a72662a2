import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, createAccount, password, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import type { RunningServer } from './support/server.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')
const cat = join(import.meta.dirname, '..', 'src/features/generations/app/samples/cat.webp')
const start = (page: Page) => page.getByRole('button', { name: /^Hapus latar/ })
const change = (page: Page) => page.getByRole('button', { name: 'Ganti foto' })
const restore = (page: Page) => page.getByRole('button', { name: 'Pakai lagi' })

async function chooseAtHome(page: Page, server: RunningServer, file: string): Promise<void> {
  await page.goto(server.origin)
  await page.locator('main [type="file"]').first().setInputFiles(file)
  await expect(change(page)).toBeVisible()
}

async function choose(page: Page, button: string, file: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).tap()
  await (await chooser).setFiles(file)
}

test.describe('drafts', () => {
  test.describe.configure({ timeout: 300_000 })

  test('a photo of a visitor who signs in meanwhile is uploaded and charged once', async ({ page, server }) => {
    const { email } = await createAccount(server, 'Wati')
    await chooseAtHome(page, server, portrait)
    await page.getByRole('button', { name: 'Sudah punya akun? Masuk' }).tap()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Kata sandi', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Masuk', exact: true }).tap()
    await expect(page).toHaveURL(/\/ai-background-removal$/)
    await expect(start(page)).toHaveText(/^Hapus latar · 5 kredit/)
    await expect(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toHaveCount(1)
    await expect(restore(page)).toHaveCount(0)
  })

  test('another photo chosen at home replaces the first, which can be restored or added', async ({ page, server }) => {
    await chooseAtHome(page, server, portrait)
    await page.getByRole('link', { name: 'Ke beranda' }).tap()
    await page.locator('main [type="file"]').first().setInputFiles(cat)
    await expect(page.getByText('Foto tadi disimpan')).toBeVisible()
    // Also after a full page load.
    await chooseAtHome(page, server, portrait)
    await expect(page.getByText('Foto tadi disimpan')).toBeVisible()
    await page.reload()
    await expect(change(page)).toBeVisible()
    await page.getByRole('link', { name: 'Ke beranda' }).tap()
    await page.locator('main [type="file"]').first().setInputFiles(cat)
    await expect(page.getByText('Foto tadi disimpan')).toBeVisible()
    const shown = page.getByRole('img', { name: 'Pratinjau hasil' })
    const second = await shown.getAttribute('src')
    await restore(page).tap()
    await expect(shown).not.toHaveAttribute('src', second ?? '')
    await page.getByRole('button', { name: 'Gabungkan' }).tap()
    await expect(start(page)).toHaveText(/^Hapus latar 2 foto ·/)
    await expect(restore(page)).toHaveCount(0)
  })

  test('changing the photo opens the chooser, keeps everything when none is chosen, and can be undone', async ({
    page,
    server,
  }) => {
    await chooseAtHome(page, server, portrait)
    const shown = page.getByRole('img', { name: 'Pratinjau hasil' })
    const first = await shown.getAttribute('src')
    const chooser = page.waitForEvent('filechooser')
    await change(page).tap()
    await (await chooser).setFiles([])
    await expect(shown).toHaveAttribute('src', first ?? '')
    await choose(page, 'Ganti foto', cat)
    await expect(shown).not.toHaveAttribute('src', first ?? '')
    await expect(restore(page)).toBeVisible()
  })

  test('a result that is opened by its address is shown although a photo waits, which is there afterwards', async ({
    page,
    server,
  }) => {
    const { email } = await createAccount(server, 'Rina')
    const token = await signInByApi(server, email)
    await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
    await chooseAtHome(page, server, portrait)
    await start(page).tap()
    await page.getByRole('button', { name: 'Foto lain' }).tap()
    await choose(page, 'Pilih foto', cat)
    await expect(change(page)).toBeVisible()
    const [made] = (await api<{ items: GenerationView[] }>(server, '/api/generations', { token })).items
    await page.goto(`${server.origin}/ai-background-removal?result=${made?.id}`)
    await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
    await expect(change(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Foto lain' }).tap()
    await expect(change(page)).toBeVisible()
  })
})
