import { expect, type Page } from '@playwright/test'
import { api, createAccount, linkIn, mailTo, password, signInOnScreen } from './support/account.ts'
import { test } from './support/app.ts'
import { expectMessage } from './support/messages.ts'

const email = () => `siti-${Math.random().toString(36).slice(2, 9)}@contoh.test`
const fill = async (page: Page, fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
}
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('authToken'))
const mirroredToken = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const open = indexedDB.open('keyval-store')
        open.onerror = () => reject(open.error)
        open.onsuccess = () => {
          const read = open.result.transaction('keyval').objectStore('keyval').get('authToken')
          read.onsuccess = () => resolve(read.result ?? null)
          read.onerror = () => reject(read.error)
        }
      }),
  )

test('a newcomer registers, verifies by mail, is signed in and finds the welcome credits', async ({ page, server }) => {
  const address = email()
  await page.goto('/register')
  await fill(page, { Nama: 'Siti', Email: address, 'Kata sandi': password, 'Konfirmasi kata sandi': password })
  await page.getByLabel(/Saya menyetujui/).check()
  await page.getByRole('button', { name: 'Daftar' }).click()
  await expectMessage(page, 'Berhasil mendaftar, silahkan cek email untuk verifikasi')
  await expect(page.getByText(address)).toBeVisible()

  await page.getByRole('button', { name: 'Kirim ulang' }).click()
  await expectMessage(page, 'Email verifikasi sudah dikirim ulang')
  await page.getByRole('link', { name: 'Ke halaman masuk' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(address)

  // On this device the link suffices.
  await page.goto(await linkIn(server, address, /verify_email/))
  await expectMessage(page, 'Berhasil login')
  await expect(page).toHaveURL(`${server.origin}/`)
  await expect(page.getByRole('link', { name: 'Saldo: 25 kredit' })).toBeVisible()
  const token = await storedToken(page)
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(await mirroredToken(page)).toBe(token)
})

test('the registration shows errors and the password’s strength, and keeps its fields', async ({ page }) => {
  await test.step('an invalid form shows an error beside each field, and sends nothing', async () => {
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    await page.goto('/register')
    await page.getByRole('button', { name: 'Daftar' }).click()
    await expect(page.getByText('Harap centang persetujuan')).toBeVisible()
    await expect(page.getByLabel('Nama', { exact: true })).toBeFocused()
    await expect(page.getByLabel('Kata sandi', { exact: true })).toHaveAccessibleDescription(/Kata sandi wajib diisi/)
    for (const [value, problem] of [
      ['Ab1!', 'Kata sandi minimal 8 karakter'],
      ['ABCDEFG1!', 'Kata sandi harus berisi minimal satu huruf kecil'],
      ['abcdefg1!', 'Kata sandi harus berisi minimal satu huruf besar'],
      ['Abcdefgh!', 'Kata sandi harus berisi minimal satu angka'],
      ['Abcdefg12', 'Kata sandi harus berisi minimal satu karakter khusus'],
    ] as const) {
      await fill(page, { 'Kata sandi': value })
      await expect(page.getByText(problem, { exact: true })).toBeVisible()
    }
    await fill(page, { Email: 'bukan-email', 'Kata sandi': password, 'Konfirmasi kata sandi': 'Lain-123!' })
    await page.getByRole('button', { name: 'Daftar' }).click()
    await expect(page.getByText('Email tidak valid')).toBeVisible()
    await expect(page.getByText('Kata sandi tidak sama')).toBeVisible()
    expect(sent).toEqual([])
  })
  await test.step('the password hint distinguishes guessable from strong while typing', async () => {
    const field = page.getByLabel('Kata sandi', { exact: true })
    await field.fill('Password1!')
    await expect(page.getByText(/mudah ditebak/i)).toBeVisible()
    await expect(page.getByText('Kata sandi harus', { exact: false })).toHaveCount(0)
    await field.fill('kuda-Lumping.7 naik becak!')
    await expect(page.getByText('Sangat kuat.')).toBeVisible()
  })
  await test.step('the form keeps its contents while the terms are read, and after a reload all but the passwords', async () => {
    await fill(page, {
      Nama: 'Siti',
      Email: 'siti@contoh.test',
      'Kata sandi': password,
      'Konfirmasi kata sandi': password,
    })
    await page.getByLabel(/Saya menyetujui/).check()
    await page.getByRole('link', { name: 'Syarat Layanan' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Syarat layanan')
    await page.goBack()
    await expect(page.getByLabel('Kata sandi', { exact: true })).toHaveValue(password)
    await expect(page.getByLabel('Konfirmasi kata sandi', { exact: true })).toHaveValue(password)
    await expect(page.getByLabel(/Saya menyetujui/)).toBeChecked()
    await page.reload()
    await expect(page.getByLabel('Nama')).toHaveValue('Siti')
    await expect(page.getByLabel('Email')).toHaveValue('siti@contoh.test')
    await expect(page.getByLabel(/Saya menyetujui/)).toBeChecked()
    await expect(page.getByLabel('Kata sandi', { exact: true })).toHaveValue('')
  })
})

test('with the app in English the auth screens are wholly Indonesian, and leaving them brings English back', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('language', 'en'))
  await page.goto('/register')
  await expect(page.getByRole('heading', { name: 'Daftar' })).toBeVisible()
  await fill(page, { 'Kata sandi': 'abc', 'Konfirmasi kata sandi': 'x' })
  await page.getByRole('button', { name: 'Daftar' }).click()
  await expect(page.getByText('Kata sandi minimal 8 karakter')).toBeVisible()
  await expect(page.getByText('Kata sandi tidak sama')).toBeVisible()
  await expect(page.getByText('Harap centang persetujuan')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'id')
  await expect(page.getByRole('button', { name: /ganti bahasa|change the language/i })).toHaveCount(0)
  await page.getByRole('link', { name: 'Syarat Layanan' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of service')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('a failed sign-in shows the reason', async ({ page, server }) => {
  await test.step('a wrong password shows the server’s message, and the password can be shown', async () => {
    const { email: address } = await createAccount(server, 'Budi')
    await page.goto('/login')
    await fill(page, { Email: address, 'Kata sandi': 'Salah-123!' })
    await page.getByRole('button', { name: 'Tampilkan kata sandi' }).click()
    await expect(page.getByLabel('Kata sandi', { exact: true })).toHaveAttribute('type', 'text')
    const responded = page.waitForResponse('**/api/login')
    await page.getByRole('button', { name: 'Masuk', exact: true }).click()
    const { msg } = (await (await responded).json()) as { msg: string }
    await expect(page.getByText(msg)).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    expect(await storedToken(page)).toBeNull()
  })
  await test.step('an address that is not verified yet is offered the mail again', async () => {
    const address = email()
    await api(server, '/api/register', { json: { name: 'Rani', email: address, password, agreeToTerms: true } })
    await fill(page, { Email: address, 'Kata sandi': password })
    await page.getByRole('button', { name: 'Masuk', exact: true }).click()
    await expect(page.getByText('Email belum diverifikasi')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Kirim ulang' })).toBeVisible()
  })
  await test.step('without the server, signing in shows an error and keeps the fields', async () => {
    await page.route('**/api/login', (route) => route.abort())
    await fill(page, { Email: 'a@contoh.test', 'Kata sandi': password })
    await page.getByRole('button', { name: 'Masuk', exact: true }).click()
    await expectMessage(page, 'Terjadi kesalahan')
    await expect(page.getByText(/Server tidak terjangkau/)).toBeVisible()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('a@contoh.test')
  })
})

test('too many guesses are blocked, and the account’s owner signs in on this device with a new password', async ({
  page,
  server,
}) => {
  const { email: address } = await createAccount(server, 'Wulan')
  const json = { email: address, password: 'Salah-123!', remember: false }
  // Many addresses, so that the account's limit comes first.
  for (let count = 0; count < 50; count += 1)
    await api(server, '/api/login', { json, from: `198.51.100.${count}` }).catch(() => undefined)
  await page.goto('/login')
  await fill(page, { Email: address, 'Kata sandi': password })
  await page.getByRole('button', { name: 'Masuk', exact: true }).click()
  await page.getByRole('button', { name: 'Kirim tautan ke emailku' }).click()
  await expect(page.getByText(/tautannya sudah dikirim ke sana dan berlaku 60 menit/)).toBeVisible()
  await expect.poll(() => mailTo(server, address)).toContain('/reset-password/')
  await page.goto(await linkIn(server, address, /reset-password/))
  const fresh = 'Baru-Sekali-9!'
  await fill(page, { 'Kata sandi baru': fresh, 'Konfirmasi kata sandi': fresh })
  await page.getByRole('button', { name: 'Simpan kata sandi' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await fill(page, { Email: address, 'Kata sandi': fresh })
  await page.getByRole('button', { name: 'Masuk', exact: true }).click()
  await expectMessage(page, 'Berhasil login')
})

test('a forgotten password is set anew through the mail', async ({ page, server }) => {
  const { email: address } = await createAccount(server, 'Dewi')
  await page.goto('/login')
  await page.getByRole('link', { name: 'Lupa kata sandi?' }).click()
  await fill(page, { Email: address })
  await page.getByRole('button', { name: 'Kirim', exact: true }).click()
  await expectMessage(page, 'Berhasil mengirim email reset password')

  const fresh = 'Baru-456?'
  await page.goto(await linkIn(server, address, /reset-password/))
  await fill(page, { 'Kata sandi baru': fresh, 'Konfirmasi kata sandi': 'beda' })
  await page.getByRole('button', { name: 'Simpan kata sandi' }).click()
  await expect(page.getByText('Kata sandi harus sama')).toBeVisible()
  await fill(page, { 'Konfirmasi kata sandi': fresh })
  await page.getByRole('button', { name: 'Simpan kata sandi' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await fill(page, { Email: address, 'Kata sandi': fresh })
  await page.getByRole('button', { name: 'Masuk', exact: true }).click()
  await expect(page).toHaveURL(`${server.origin}/`)
})

test('an invalid reset link offers a new one', async ({ page }) => {
  await page.goto('/reset-password/tidak-ada')
  await fill(page, { 'Kata sandi baru': password, 'Konfirmasi kata sandi': password })
  await page.getByRole('button', { name: 'Simpan kata sandi' }).click()
  await expect(page.getByRole('link', { name: 'Minta tautan baru' })).toBeVisible()
})

test('a visitor who opened a page signs in and lands on it; a user is kept out of the admin area', async ({
  page,
  server,
}) => {
  const { email: address } = await createAccount(server, 'Agus')
  await page.goto('/billing')
  await expect(page).toHaveURL(/\/login$/)
  await fill(page, { Email: address, 'Kata sandi': password })
  await page.getByRole('button', { name: 'Masuk', exact: true }).click()
  await expect(page).toHaveURL(/\/billing$/)
  await expect(page.getByText('Kredit selamat datang').first()).toBeVisible()
  await page.goto('/admin/dashboard')
  await expect(page).toHaveURL(`${server.origin}/`)
  await page.goto('/login')
  await expect(page).toHaveURL(`${server.origin}/`)
})

test('signing out takes the token from both stores, and what other tabs remember', async ({ page, server }) => {
  const { email: address } = await createAccount(server, 'Joko')
  await signInOnScreen(page, address, server.origin)
  await page.goto('/profile')
  const otherTab = await page.context().newPage()
  await otherTab.goto('/profile')
  await otherTab.evaluate(() => Object.assign(window, { remembered: true }))
  await page.getByRole('link', { name: 'Keluar' }).click()
  await expect(page).toHaveURL(`${server.origin}/`)
  await expect(page.getByRole('link', { name: 'Masuk' })).toBeVisible()
  expect(await storedToken(page)).toBeNull()
  expect(await mirroredToken(page)).toBeNull()
  await expect(otherTab.getByRole('button', { name: 'Masuk', exact: true })).toBeVisible()
  await expect.poll(() => otherTab.evaluate(() => 'remembered' in window)).toBe(false)
})

test('an expired token is removed at the start, and the user is asked to sign in again', async ({ page }) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('seeded')) return
    sessionStorage.setItem('seeded', '1')
    const part = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, '')
    const sub = { id: 'a', name: 'Lama', email: 'lama@contoh.test', role: 'user' }
    localStorage.setItem('authToken', `${part({ alg: 'HS256' })}.${part({ sub, sid: 's', iat: 1, exp: 2 })}.x`)
  })
  await page.goto('/')
  await expect(page.getByText('Sesimu sudah berakhir')).toBeVisible()
  expect(await storedToken(page)).toBeNull()
  await page.getByRole('link', { name: 'Masuk lagi' }).click()
  await expect(page.getByText(/Sesimu sudah berakhir\. Masuk lagi untuk melanjutkan/)).toBeVisible()
})
