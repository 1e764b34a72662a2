import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Download, expect, type Locator, type Page } from '@playwright/test'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, createAccount, signInByApi } from '../../e2e/support/account.ts'
import { test } from '../../e2e/support/app.ts'
import type { RunningServer } from '../../e2e/support/server.ts'

const portrait = join(import.meta.dirname, '..', '..', 'e2e', 'fixtures', 'portrait.jpg')
const route = '/ai-background-removal'

let server: RunningServer
test.beforeAll(({ server: running }) => {
  server = running
})

async function enter(page: Page): Promise<string> {
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  return token
}

async function choose(page: Page, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Pilih foto' }).tap(),
  ])
  await chooser.setFiles(files)
}

const startButton = (page: Page) => page.getByRole('button', { name: /^Hapus latar/ })
const succeeded = (page: Page) => page.getByRole('heading', { name: 'Gambar berhasil dibuat' })
const credits = async (token: string) => (await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits
const history = async (token: string) =>
  (await api<{ items: GenerationView[] }>(server, '/api/generations', { token })).items

const saved = async (download: Download) => readFile(await download.path())

test('several pictures run with the same options, one generation each, are saved as one ZIP, shared, and changed at once', async ({
  page,
}) => {
  const token = await enter(page)
  await page.addInitScript(() => {
    const share = async ({ files = [] }: ShareData) =>
      void Object.assign(window, { shared: files.map(({ name }) => name) })
    Object.assign(navigator, { canShare: () => true, share })
  })
  await page.goto(server.origin + route)
  await choose(page, [portrait, portrait, portrait])
  await expect(startButton(page)).toHaveText(/Hapus latar 3 foto.*15 kredit/)
  await page.getByRole('button', { name: 'Buang foto 3' }).tap()
  await startButton(page).tap()
  await expect(page.locator('main li span.relative')).toHaveCount(2)
  await page.evaluate(() => {
    const look = () => {
      const blank = [...document.querySelectorAll('main li span.relative')].some((tile) => !tile.querySelector('img'))
      if (blank) Object.assign(window, { blank })
      requestAnimationFrame(look)
    }
    look()
  })
  await expect(page.getByRole('button', { name: /^Selesai/ })).toHaveCount(2)
  expect(await page.evaluate(() => 'blank' in window)).toBe(false)
  expect(await credits(token)).toBe(15)
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Unduh semua (ZIP)' }).tap(),
  ])
  const contents = await saved(zip)
  expect(zip.suggestedFilename()).toBe('background-removal.zip')
  // Each file has an entry in the ZIP's directory.
  expect(contents.toString('latin1').split('PK\u0001\u0002')).toHaveLength(3)
  await page.getByRole('button', { name: 'Bagikan semua' }).tap()
  await expect.poll(() => page.evaluate(() => 'shared' in window && window.shared)).toHaveLength(2)
  await page
    .getByRole('button', { name: /^Selesai/ })
    .first()
    .tap()
  await expect(succeeded(page)).toBeVisible()
  await page.getByRole('button', { name: 'Siap jual' }).tap()
  await page.getByRole('button', { name: 'Shopee' }).tap()
  const option = (name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true })
  await option('Logo').tap()
  await page.getByLabel('Pilih gambar logo').setInputFiles(portrait)
  const logo = page.getByRole('switch', { name: 'Pasang logo' })
  await expect(logo).toBeChecked()
  await page.getByRole('button', { name: 'Terapkan ke 1 foto lain' }).tap()
  await expect(page.getByText('Semua foto sudah ikut berubah')).toBeVisible()
  const made = async () =>
    (await history(token)).map(({ inputs, outputs: [output], params }) => [
      ...[output?.width, output?.height, inputs.length],
      params.logo !== null,
    ])
  const square = [1024, 1024, 2]
  await expect.poll(made).toEqual([
    [...square, true],
    [...square, true],
  ])
  // Earlier renderings are one tap away.
  await page.getByRole('button', { name: 'Setelanku' }).tap()
  await page.getByRole('button', { name: 'Simpan setelan ini' }).tap()
  await page.getByRole('textbox', { name: 'Nama' }).fill('Toko')
  await page.getByRole('button', { name: 'Simpan', exact: true }).tap()
  await expect(page.getByRole('button', { name: 'Toko', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  const withLogo = async () => (await made()).filter(([, , , logo]) => logo).length
  await page.getByRole('button', { name: 'Kembali ke hasil sebelumnya' }).tap()
  await expect.poll(withLogo).toBe(1)
  await expect(logo).not.toBeChecked()
  await expect(page.getByRole('button', { name: 'Maju ke hasil berikutnya' })).toBeEnabled()
  await page.getByRole('button', { name: 'Setelanku' }).tap()
  await page.getByRole('button', { name: 'Toko', exact: true }).tap()
  await expect(logo).toBeChecked()
  await expect.poll(withLogo).toBe(2)
  expect(await credits(token)).toBe(15)
  await page.goBack()
  await expect(page.getByRole('button', { name: /^Selesai/ })).toHaveCount(2)
})
