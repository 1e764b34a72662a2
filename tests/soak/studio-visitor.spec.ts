import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, linkIn, password, signInByApi } from '../../e2e/support/account.ts'
import { test } from '../../e2e/support/app.ts'
import type { RunningServer } from '../../e2e/support/server.ts'

const portrait = join(import.meta.dirname, '..', '..', 'e2e', 'fixtures', 'portrait.jpg')
const route = '/ai-background-removal'

let server: RunningServer
test.beforeAll(({ server: running }) => {
  server = running
})

async function choose(page: Page, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Pilih foto' }).tap(),
  ])
  await chooser.setFiles(files)
}

const succeeded = (page: Page) => page.getByRole('heading', { name: 'Gambar berhasil dibuat' })
const history = async (token: string) =>
  (await api<{ items: GenerationView[] }>(server, '/api/generations', { token })).items

test.use({ runsEngine: true, serviceWorkers: 'allow', contextOptions: { reducedMotion: 'no-preference' } })

test('a visitor sees a preview one tap from home, signs up, and gets the whole result of the same picture and options', async ({
  page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  const photo = await sharp(portrait).resize(1024, 1200).jpeg().toBuffer()
  await page.goto(server.origin)
  await choose(page, { name: 'potret.jpg', mimeType: 'image/jpeg', buffer: photo })
  await expect(page).toHaveURL(server.origin + route)
  await expect(page.getByRole('heading', { name: 'Pratinjau gratis' })).toBeVisible()
  const preview = page.getByRole('img', { name: 'Pratinjau hasil' })
  await expect(preview).toBeVisible()
  // The device's preview, which may come first, is smaller than the server's.
  const longSide = () =>
    preview.evaluate((image: HTMLImageElement) => Math.max(image.naturalWidth, image.naturalHeight))
  await expect.poll(longSide).toBe(640)
  expect(sent).toEqual(['/api/tools/background-removal/preview'])

  await page.getByRole('button', { name: 'Ubah pilihannya' }).tap()
  await page.getByText('Orang', { exact: true }).tap()
  await page.getByRole('button', { name: 'Latar', exact: true }).tap()
  await page.getByRole('button', { name: 'Biru' }).tap()
  await expect(preview).toBeVisible()
  await page.getByRole('button', { name: 'Daftar gratis, unduh ukuran penuh' }).tap()

  const email = `budi-${Date.now()}@contoh.test`
  await page.getByLabel('Nama').fill('Budi')
  await page.getByLabel('Email').fill(email)
  const secrets = page.locator('input[type=password]')
  await secrets.nth(0).fill(password)
  await secrets.nth(1).fill(password)
  await page.getByLabel('Tahun lahir').fill('1998')
  await page.getByRole('checkbox').tap()
  await expect(page.getByRole('checkbox')).toBeChecked()
  await page.locator('form button[type=submit]').tap()
  await expect(page.getByText(email)).toBeVisible()

  // The mailed link signs in and resumes the pending generation.
  await page.goto(await linkIn(server, email, /\/api\/verify_email\//))
  await expect(succeeded(page)).toBeVisible()
  const [made] = await history(await signInByApi(server, email))
  expect(made?.params).toMatchObject({ subject: 'person', background: { type: 'color', color: '#0090ff' } })
  expect(made?.inputs[0]).toMatchObject({ width: 1024, height: 1200 })
  expect(sent.filter((path) => path === '/api/uploads')).toHaveLength(1)
})
