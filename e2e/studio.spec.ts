import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Download, expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { FileView, GenerationView } from '#features/generations/schemas.ts'
import { api, createAccount, linkIn, password, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { touchOf } from './support/fingers.ts'
import type { RunningServer } from './support/server.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')
const route = '/ai-background-removal'
const broken = { name: 'rusak.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('\xff\xd8\xff\xe0', 'latin1') }

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

async function pixels(bytes: Buffer) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const start = 4 * (Math.round(y * (info.height - 1)) * info.width + Math.round(x * (info.width - 1)))
    return [...data.subarray(start, start + 4)]
  }
  return { width: info.width, height: info.height, at }
}
const fetched = async (file: FileView) =>
  Buffer.from(await (await fetch(new URL(file.url, server.origin))).arrayBuffer())
const saved = async (download: Download) => readFile(await download.path())

test.describe('with the engine on the device, the service worker and animations, as in production', () => {
  test.use({ runsEngine: true, serviceWorkers: 'allow', contextOptions: { reducedMotion: 'no-preference' } })

  test('a portrait becomes a cut-out that is compared, changed for free, saved, found again and deleted', async ({
    page,
  }) => {
    const token = await enter(page)
    await page.goto(server.origin + route)
    await choose(page, portrait)
    await expect(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toBeVisible()
    await page.getByText('Orang', { exact: true }).tap()
    await expect(startButton(page)).toHaveText(/5 kredit/)
    await expect(page.getByText('Saldo 25 kredit, jadi 20 setelah ini.')).toBeVisible()
    await startButton(page).tap()

    await expect(succeeded(page)).toBeVisible()
    expect(await credits(token)).toBe(20)
    const [made] = await history(token)
    const source = await pixels(await readFile(portrait))
    const cutOut = await pixels(await fetched(made!.outputs[0]!))
    expect([cutOut.width, cutOut.height]).toEqual([source.width, source.height])
    expect(cutOut.at(0.02, 0.02)[3]).toBe(0)
    expect(cutOut.at(0.5, 0.6)[3]).toBe(255)

    // Compares before and after by finger.
    const line = page.getByRole('slider', { name: 'Bandingkan sebelum dan sesudah' })
    // The result is seen whole.
    await expect(page.locator('.viewer')).not.toHaveAttribute('data-revealing')
    await expect(line).toHaveValue('0')
    await line.press('PageUp')
    await line.press('PageUp')
    const held = Number(await line.inputValue())
    const knob = (await page.locator('.compare-knob').boundingBox())!
    const [x, y] = [knob.x + knob.width / 2, knob.y + knob.height / 2]
    const fingers = await touchOf(page)
    await fingers('touchStart', { x, y })
    for (let step = 1; step <= 8; step++) await fingers('touchMove', { x: x - 10 * step, y })
    await fingers('touchEnd')
    expect(Number(await line.inputValue())).toBeLessThan(held)

    // Two fingers zoom, a button resets the view.
    await fingers('touchStart', { x: x - 20, y: y - 80 }, { x: x + 20, y: y - 80 })
    for (let step = 1; step <= 6; step++) {
      await fingers('touchMove', { x: x - 20 - 8 * step, y: y - 80 }, { x: x + 20 + 8 * step, y: y - 80 })
    }
    await fingers('touchEnd')
    await page.getByRole('button', { name: 'Tampilkan seluruh foto' }).tap()
    await expect(page.getByRole('button', { name: 'Tampilkan seluruh foto' })).toBeHidden()

    // Another background is free.
    const rendered = page.waitForResponse((response) => response.url().endsWith('/render'))
    await page.getByRole('button', { name: 'Biru' }).tap()
    expect((await rendered).ok()).toBe(true)
    await expect(page.getByText('Hasil siap')).toBeAttached()
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Unduh PNG' }).tap(),
    ])
    expect(png.suggestedFilename()).toMatch(/\.png$/)
    expect((await pixels(await saved(png))).at(0.02, 0.02)).toEqual([0, 0x90, 255, 255])

    // An unreadable background photo changes nothing.
    const own = page.getByLabel('Foto sendiri sebagai latar')
    await own.setInputFiles(broken)
    await expect(page.getByText('tidak bisa dibaca')).toBeVisible()
    await expect(own).toHaveAttribute('aria-current', 'false')
    const green = sharp({ create: { width: 64, height: 64, channels: 3, background: '#00a040' } }).png()
    const renderedAgain = page.waitForResponse((response) => response.url().endsWith('/render'))
    await own.setInputFiles({ name: 'hijau.png', mimeType: 'image/png', buffer: await green.toBuffer() })
    expect((await renderedAgain).ok()).toBe(true)
    await expect(own).toHaveAttribute('aria-current', 'true')
    await expect(page.getByText('Hasil siap')).toBeAttached()
    const [onGreen] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Unduh PNG' }).tap(),
    ])
    expect((await pixels(await saved(onGreen))).at(0.02, 0.02)).toEqual([0, 0xa0, 0x40, 255])

    await page.getByRole('button', { name: 'Unduh dalam format lain' }).tap()
    const [jpeg] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^JPEG/ }).tap()])
    expect(jpeg.suggestedFilename()).toMatch(/\.jpe?g$/)
    expect((await sharp(await saved(jpeg)).metadata()).format).toBe('jpeg')
    expect(await credits(token)).toBe(20)

    await page.getByRole('link', { name: 'Ke beranda' }).tap()
    await page.getByRole('link', { name: 'Riwayat' }).tap()
    await page
      .getByRole('list', { name: 'Hasil' })
      .getByRole('button', { name: /^Selesai/ })
      .tap()
    await page.getByRole('button', { name: 'Pilihan lain' }).tap()
    await expect(page.getByText('Disimpan sampai', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Hapus hasil ini' }).tap()
    await page.getByRole('button', { name: 'Hapus selamanya' }).tap()
    await expect(page.getByRole('heading', { name: 'Belum ada gambar yang dibuat' })).toBeVisible()
    expect(await history(token)).toEqual([])
    expect(await credits(token)).toBe(20)
  })

  test('a visitor sees a preview one tap from home, signs up, and gets the whole result of the same picture and options', {
    tag: '@soak',
  }, async ({ page }) => {
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
})

test('a brush takes away and brings back parts of a result for free, by finger and by keyboard', async ({ page }) => {
  const token = await enter(page)
  await page.goto(server.origin + route)
  await choose(page, portrait)
  await startButton(page).tap()
  await expect(succeeded(page)).toBeVisible()
  const alphaAt = async (x: number, y: number) => {
    const [made] = await history(token)
    return (await pixels(await fetched(made!.outputs[0]!))).at(x, y)[3]
  }
  const rendered = () => page.waitForResponse((response) => response.url().endsWith('/render') && response.ok())
  expect(await alphaAt(0.5, 0.7)).toBe(255)
  expect(await alphaAt(0.03, 0.03)).toBe(0)

  await page.getByRole('button', { name: 'Koreksi', exact: true }).tap()
  const area = page.getByRole('application', { name: /^Area menggambar/ })
  await expect(area).toBeVisible()
  await page.getByText('Buang', { exact: true }).tap()
  const fingers = await touchOf(page)
  const { x, y, width, height } = (await area.boundingBox())!
  const point = (across: number, down: number) => ({ x: x + across * width, y: y + down * height })
  let answer = rendered()
  await fingers('touchStart', point(0.42, 0.7))
  for (let step = 1; step <= 8; step++) await fingers('touchMove', point(0.42 + 0.02 * step, 0.7))
  await fingers('touchEnd')
  await answer
  expect(await alphaAt(0.5, 0.7)).toBe(0)

  answer = rendered()
  await page.getByRole('button', { name: 'Urungkan' }).tap()
  await answer
  expect(await alphaAt(0.5, 0.7)).toBe(255)

  // Two fingers zoom and draw nothing.
  await fingers('touchStart', point(0.4, 0.5), point(0.6, 0.5))
  for (let step = 1; step <= 6; step++) {
    await fingers('touchMove', point(0.4 - 0.03 * step, 0.5), point(0.6 + 0.03 * step, 0.5))
  }
  await fingers('touchEnd')
  await expect(page.getByRole('button', { name: 'Urungkan' })).toBeDisabled()

  await area.focus()
  await page.keyboard.press('0')
  await page.keyboard.press('b')
  for (let step = 0; step < 14; step++) {
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Shift+ArrowUp')
  }
  answer = rendered()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await answer
  expect(await alphaAt(0.005, 0.005)).toBe(255)
  expect(await credits(token)).toBe(20)

  // Strokes are part of the result, also after reopening it.
  const [kept] = await history(token)
  expect(kept?.params.strokes).toMatchObject([{ mode: 'keep', shape: 'line' }])
  await page.goto(`${server.origin}/history?id=${kept?.id}`)
  await page.getByRole('button', { name: 'Koreksi', exact: true }).tap()
  await expect(page.getByRole('button', { name: 'Hapus semua goresan' })).toBeEnabled()
})

test('with several possible subjects, marking begins around the most likely one', { tag: '@soak' }, async ({
  page,
}) => {
  await enter(page)
  await page.goto(server.origin + route)
  await choose(page, join(import.meta.dirname, '..', 'tests', 'fixtures', 'photos', 'rocket.jpg'))
  await page.getByRole('button', { name: 'Tandai objeknya' }).tap()
  const box = page.getByRole('group', { name: /^Kotak objek/ })
  await expect(box).toHaveAccessibleName(/lebar \d+%, tinggi \d+%/)
  await expect(box).not.toHaveAccessibleName(/lebar 60%, tinggi 60%, dari kiri 20%, dari atas 20%/)
})

test('several pictures run with the same options, one generation each, are saved as one ZIP, shared, and changed at once', {
  tag: '@soak',
}, async ({ page }) => {
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
