import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { setText } from '#tests/support/components/layout.ts'
import { address, openApp } from '#tests/support/components/open-app.tsx'
import { orderOf, pictureFile, sari, tokenOf, usualRoutes } from '#tests/support/components/samples.ts'
import { button, choose, savedFiles } from '#tests/support/components/screen.ts'
import { type ApiCall, type Routes, refusal } from '#tests/support/components/stub-api.ts'

const password = 'Rahasia-123!'
const text = (content: string | RegExp) => expect.element(page.getByText(content).first())
const sheet = page.getByRole('dialog')
const promise = 'Daftar gratis, unduh ukuran penuh'

async function signInOnSheet(): Promise<void> {
  await sheet.getByLabelText('Email').fill(sari.email)
  await sheet.getByLabelText('Kata sandi', { exact: true }).fill(password)
  await sheet.getByRole('button', { name: 'Masuk', exact: true }).click()
}

/** A visitor with a preview of a photo chosen at home; the account exists already. */
async function preview(server: GenerationServer, own: Routes = {}) {
  const app = await openApp('/', {
    api: { ...usualRoutes(sari, 25), ...server.routes, 'POST /api/login': { access_token: tokenOf(sari) }, ...own },
  })
  await choose(await pictureFile(512, 600))
  await expect.element(page.getByRole('img', { name: 'Pratinjau hasil' })).toBeVisible()
  return app
}

async function fillIn(): Promise<void> {
  for (const [label, value] of Object.entries({
    Email: sari.email,
    Nama: 'Sari',
    'Kata sandi': password,
    'Konfirmasi kata sandi': password,
    'Tahun lahir': '1998',
  })) {
    await page.getByLabelText(label, { exact: true }).fill(value)
  }
  await page.getByLabelText(/Saya menyetujui/).click()
  await page.getByRole('button', { name: 'Daftar', exact: true }).click()
}

it('names the last step of a sign-up over a preview once', async () => {
  await preview(new GenerationServer(), { 'POST /api/register': Response.json({}, { status: 201 }) })
  await button(promise).click()
  await expect.element(sheet.getByLabelText('Nama')).toBeVisible()
  await fillIn()
  await expect.element(sheet.getByLabelText('Kode 6 angka')).toBeVisible()
  expect(sheet.getByText(/langkah/).elements()).toHaveLength(1)
})

it('reports a wrong code, which leaves another try; the code of the newest mail signs in', async () => {
  const { messages } = await openApp('/register', {
    api: {
      ...usualRoutes(sari, 25),
      'POST /api/register': Response.json({}, { status: 201 }),
      'GET /api/resend_confirmation_email': undefined,
      'POST /api/verify_email': ({ body }: ApiCall) =>
        (body as { code: string }).code === '123456'
          ? { access_token: tokenOf(sari), status: 'signed_in' }
          : refusal(422, 'auth.code_wrong', 'Kode ini salah atau sudah lewat 10 menit.'),
    },
  })
  await fillIn()
  const field = page.getByLabelText('Kode 6 angka')
  const headings = () =>
    page
      .getByRole('heading')
      .elements()
      .map(({ textContent }) => textContent)
  await expect.poll(headings).toEqual(['Tinggal satu langkah'])
  expect(Number.parseFloat(getComputedStyle(field.element()).fontSize)).toBeGreaterThanOrEqual(36)
  await field.fill('12345')
  await button('Lanjut').click()
  await expect.element(field).toHaveAccessibleDescription(/Tulis 6 angka dari emailnya/)
  await field.fill('000000')
  await expect.element(field).toHaveAccessibleDescription(/Kode ini salah atau sudah lewat 10 menit/)
  await page.viewport(360, 640)
  await setText(200)
  expect(field.element().scrollWidth, 'all digits in large text').toBeLessThanOrEqual(field.element().clientWidth)
  await setText(100)
  await button('Kirim ulang').click()
  await expect.poll(messages).toContain('Email verifikasi sudah dikirim ulang')
  await expect.element(field).toHaveValue('')
  await field.fill('123 456')
  await expect.poll(messages).toContain('Berhasil login')
  await expect.poll(address).toBe('/')
})

it('charges a member who signs in over the preview for what was pressed, and saves it', async () => {
  const server = new GenerationServer()
  await preview(server)
  const saved = savedFiles()
  await button(promise).click()
  await sheet.getByRole('button', { name: 'Masuk', exact: true }).click()
  await signInOnSheet()
  await expect.poll(() => saved).toHaveLength(1)
  expect(server.generations).toHaveLength(1)
  expect(server.credits).toBe(20)
})

it('cancels the pending generation with its sheet: a later sign-in charges nothing', async () => {
  const server = new GenerationServer()
  await preview(server)
  await button(promise).click()
  await text(/: 5 dari 40 kredit gratis untuk akun baru/).toBeVisible()
  await sheet.getByRole('button', { name: 'Tutup', exact: true }).click()
  await setText(200)
  await expect.element(button('Ubah pilihannya')).toBeInViewport({ ratio: 0.5 })
  await setText(100)
  await button('Sudah punya akun? Masuk').click()
  await signInOnSheet()
  await text('Saldo 25 kredit, jadi 20 setelah ini.').toBeVisible()
  expect(server.generations).toEqual([])
})

it('leaves the start after signing in to the user where the photo check warns', async () => {
  const server = new GenerationServer()
  const msg = 'Satu wajah ikut terhapus.'
  await preview(server, {
    'POST /api/tools/*/check': {
      credits: 5,
      facts: {},
      faces: [],
      warnings: [{ code: 'face_marked', msg }],
      problems: [],
      checks: [],
    },
  })
  await button(promise).click()
  await sheet.getByRole('button', { name: 'Masuk', exact: true }).click()
  await signInOnSheet()
  await text(msg).toBeVisible()
  expect(server.generations).toEqual([])
})

it('scrolls the field for the number of OVO into view where it is missing', async () => {
  const order = orderOf('o1', { method: 'ovo' })
  const { api } = await openApp('/checkout?package=starter', {
    user: sari,
    api: { 'POST /api/orders': order, 'GET /api/orders/*': order, 'POST /api/orders/*/check': order },
  })
  const ovo = page.getByText('OVO', { exact: true })
  const others = button('Metode lain')
  await expect.element(page.getByRole('radio', { name: /QRIS/ })).toBeVisible()
  if (others.query()) await others.click()
  await ovo.click()
  for (const box of page.getByRole('checkbox').all()) await box.click()
  await button('Lanjut ke pembayaran').click()
  const number = page.getByLabelText('Nomor HP OVO')
  await expect.element(number).toHaveFocus()
  await expect.element(number).toHaveAccessibleDescription(/Tulis nomor HP yang benar/)
  const boxOf = (element: Element) => element.getBoundingClientRect()
  expect(boxOf(number.element()).y - boxOf(ovo.element()).y).toBeLessThan(100)
  const bar = page.getByRole('region', { name: 'Total dan pembayaran' })
  const isClear = () => {
    const [field, edge] = [boxOf(number.element()), boxOf(bar.element())]
    return field.y > 0 && field.bottom + 24 < edge.y
  }
  await expect.poll(isClear).toBe(true)
  // The keyboard's action key continues.
  await number.fill('081234567890')
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/checkout?order=o1')
  expect(api.callsTo('POST /api/orders')).toMatchObject([{ body: { method: 'ovo', mobileNumber: expect.anything() } }])
})
