import { expect, type Page } from '@playwright/test'
import { createAccount, navigateInApp, password } from './support/account.ts'
import { test } from './support/app.ts'
import { admin } from './support/app-server.ts'
import { expectMessage } from './support/messages.ts'

const adminScreens = [
  '/admin/dashboard',
  '/admin/fitur',
  '/admin/voucher',
  '/admin/request-custom',
  '/admin/billing',
  '/admin/users',
  '/admin/users/me',
  '/admin/kredit/harga',
  '/admin/kredit/riwayat',
]

async function signIn(page: Page, who: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Kata sandi', { exact: true }).fill(who.password)
  await page.getByRole('button', { name: 'Masuk', exact: true }).tap()
}

/** Only its own server could sign a designer's token, so no server is called. */
async function actAsDesigner(page: Page): Promise<void> {
  await page.route('**/api/**', (route) => route.abort())
  await page.addInitScript(() => {
    const part = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, '')
    const sub = { id: 'd', name: 'Desainer', email: 'desain@contoh.test', role: 'designer' }
    const claims = { sub, sid: 's', iat: 1, exp: Math.floor(Date.now() / 1000) + 3600 }
    localStorage.setItem('authToken', `${part({ alg: 'HS256' })}.${part(claims)}.x`)
  })
}

test('every admin page sends a visitor to sign in, and a user home', async ({ page, server }) => {
  const { email } = await createAccount(server, 'Bagus')
  await page.goto('/admin/dashboard')
  await expect(page).toHaveURL(/\/login$/)
  for (const screen of adminScreens) {
    await navigateInApp(page, screen)
    await expect(page, screen).toHaveURL(/\/login$/)
  }
  await signIn(page, { email, password })
  await expect(page).toHaveURL(`${server.origin}/`)
  await page.goto('/admin/dashboard')
  await expect(page).toHaveURL(`${server.origin}/`)
  for (const screen of adminScreens) {
    await navigateInApp(page, screen)
    await expect(page, screen).toHaveURL(`${server.origin}/`)
  }
})

test('an admin lands on the dashboard whatever the target, may open every page, and finds the profile among them', async ({
  page,
}) => {
  await page.goto('/billing')
  await signIn(page, admin)
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  for (const screen of adminScreens) {
    await navigateInApp(page, screen)
    await page.locator('h1').waitFor()
    expect(new URL(page.url()).pathname).toBe(screen)
  }
  await page.goto('/admin/users/me')
  await expect(page.getByText(admin.email).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ganti kata sandi' })).toBeVisible()
  await page.goto('/login')
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
})

test('a designer is sent to the custom requests from every other admin page and from the sign-in', async ({ page }) => {
  await actAsDesigner(page)
  await page.goto('/login')
  await expect(page).toHaveURL(/\/admin\/request-custom$/)
  for (const screen of [...adminScreens, '/login', '/register', '/forgot-password']) {
    await navigateInApp(page, screen)
    await expect(page, screen).toHaveURL(/\/admin\/request-custom$/)
  }
})

for (const language of ['id', 'en']) {
  test(`the auth screens are Indonesian with the app in ${language}`, async ({ page }) => {
    await page.addInitScript((chosen) => localStorage.setItem('language', chosen), language)
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Masuk' })).toBeVisible()
    await expect(page.getByLabel('Ingat saya')).toBeVisible()
    await page.getByRole('button', { name: 'Masuk', exact: true }).tap()
    const [required, invalid, noPassword] = ['Bagian ini wajib diisi', 'Email tidak valid', 'Kata sandi wajib diisi']
    await expect(page.getByText(required, { exact: true })).toHaveCount(1)
    await expect(page.getByText(noPassword, { exact: true })).toBeVisible()
    for (const address of [
      'siti',
      'siti@',
      '@contoh.test',
      'siti@contoh',
      "siti'--@contoh .test",
      '<b>@contoh.test>',
    ]) {
      await page.getByLabel('Email').fill(address)
      await expect(page.getByText(invalid, { exact: true }), address).toBeVisible()
    }

    await page.getByRole('link', { name: 'Lupa kata sandi?' }).tap()
    await expect(page.getByRole('heading', { name: 'Lupa kata sandi' })).toBeVisible()
    await page.getByRole('button', { name: 'Kirim', exact: true }).tap()
    await expect(page.getByText(required, { exact: true })).toBeVisible()
    await page.getByLabel('Email').fill('tidak-ada@contoh.test')
    await page.getByRole('button', { name: 'Kirim', exact: true }).tap()
    await expectMessage(page, 'Berhasil mengirim email reset password')
    await expect(page.getByText('tidak-ada@contoh.test')).toBeVisible()
    await page.getByRole('link', { name: 'Kembali ke halaman masuk' }).tap()

    await page.getByRole('link', { name: 'Daftar' }).tap()
    await page.getByRole('button', { name: 'Daftar', exact: true }).tap()
    await expect(page.getByText('Harap centang persetujuan')).toBeVisible()
    await page.getByLabel('Nama').fill('Tari')
    await page.getByLabel('Email').fill(`tari-${language}@contoh.test`)
    await page.getByLabel('Kata sandi', { exact: true }).fill(password)
    await page.getByLabel('Konfirmasi kata sandi', { exact: true }).fill(password)
    await page.getByLabel(/Saya menyetujui/).check()
    await page.getByRole('button', { name: 'Daftar', exact: true }).tap()
    await expectMessage(page, 'Berhasil mendaftar, silahkan cek email untuk verifikasi')
    await expect(page.getByRole('button', { name: 'Kirim ulang' })).toBeVisible()
    expect(complaints).toEqual([])
  })
}
