import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { address, desktop, navigateInApp, openApp } from '#tests/support/components/open-app.tsx'
import { designer, sari, site, staff, tokenOf, usualRoutes } from '#tests/support/components/samples.ts'
import { staffRoutes } from '#tests/support/components/staff-samples.ts'
import { refusal } from '#tests/support/components/stub-api.ts'

const password = 'Rahasia-123!'
const userRoutes = usualRoutes(sari, 25)

const labelled = (label: string) => page.getByLabelText(label, { exact: true })

async function fill(fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await labelled(label).fill(value)
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const text = (content: string | RegExp) => expect.element(page.getByText(content).first())

describe('the registration', () => {
  it('shows an error beside each field of an invalid form, and sends nothing', async () => {
    const { api } = await openApp('/register')
    await press('Daftar')
    await text('Harap centang persetujuan').toBeVisible()
    await expect.element(labelled('Email')).toHaveFocus()
    await expect.element(labelled('Kata sandi')).toHaveAccessibleDescription(/Kata sandi wajib diisi/)
    for (const [value, problem] of [
      ['Ab1!', 'Kata sandi minimal 8 karakter'],
      ['ABCDEFG1!', 'Kata sandi harus berisi minimal satu huruf kecil'],
      ['abcdefg1!', 'Kata sandi harus berisi minimal satu huruf besar'],
      ['Abcdefgh!', 'Kata sandi harus berisi minimal satu angka'],
      ['Abcdefg12', 'Kata sandi harus berisi minimal satu karakter khusus'],
    ] as const) {
      await fill({ 'Kata sandi': value })
      await expect.element(page.getByText(problem, { exact: true })).toBeVisible()
    }
    // The rules above the message use its words.
    await text('karakter khusus, misalnya ! atau ?').toBeVisible()
    await fill({ Email: 'bukan-email', 'Kata sandi': password, 'Konfirmasi kata sandi': 'Lain-123!' })
    await press('Daftar')
    await text('Email tidak valid').toBeVisible()
    await text('Kata sandi tidak sama').toBeVisible()
    expect(api.callsTo('POST /api/register')).toEqual([])
  })

  it('asks for a birth year that can be one, and is kind to a child, who stays without an account', async () => {
    const { api } = await openApp('/register', {
      api: { 'POST /api/register': refusal(422, 'age.below_minimum', 'Kamu masih terlalu muda.') },
    })
    const own = { Nama: 'Tari', Email: 'tari@contoh.test', 'Kata sandi': password, 'Konfirmasi kata sandi': password }
    await fill({ ...own, 'Tahun lahir': '98' })
    await page.getByLabelText(/Saya menyetujui/).click()
    await press('Daftar')
    await expect.element(labelled('Tahun lahir')).toHaveAccessibleDescription(/empat angka/)
    await fill({ 'Tahun lahir': '2015' })
    await press('Daftar')
    await text(/masih terlalu muda untuk punya akun/).toBeVisible()
    expect(api.callsTo('POST /api/register')).toMatchObject([{ body: { birthYear: 2015 } }])
  })

  it('asks for no birth year where the operator has no rules for ages', async () => {
    const { api } = await openApp('/register', {
      api: { 'GET /api/site': { ...site, age: null }, 'POST /api/register': Response.json({}, { status: 201 }) },
    })
    await expect.poll(() => labelled('Tahun lahir').all()).toHaveLength(0)
    await fill({ Nama: 'Tari', Email: 'tari@contoh.test', 'Kata sandi': password, 'Konfirmasi kata sandi': password })
    await page.getByLabelText(/Saya menyetujui/).click()
    await press('Daftar')
    await expect.poll(() => api.callsTo('POST /api/register')).toHaveLength(1)
    expect(api.callsTo('POST /api/register')[0]?.body).not.toHaveProperty('birthYear')
  })

  it('distinguishes guessable from strong passwords while typing', async () => {
    await openApp('/register')
    await fill({ 'Kata sandi': 'Password1!' })
    await text(/mudah ditebak/i).toBeVisible()
    expect(page.getByText('Kata sandi harus').all()).toHaveLength(0)
    await fill({ 'Kata sandi': 'kuda-Lumping.7 naik becak!' })
    await text('Sangat kuat.').toBeVisible()
  })

  it('keeps its contents while the terms are read, and after a reload all but the passwords', async () => {
    const app = await openApp('/register')
    const own = { Nama: 'Siti', Email: 'siti@contoh.test', 'Tahun lahir': '1998' }
    await fill({ ...own, 'Kata sandi': password, 'Konfirmasi kata sandi': password })
    await page.getByLabelText(/Saya menyetujui/).click()
    await page.getByRole('link', { name: 'Syarat Layanan' }).click()
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Syarat layanan')
    history.back()
    await expect.element(labelled('Kata sandi')).toHaveValue(password)
    await expect.element(labelled('Konfirmasi kata sandi')).toHaveValue(password)
    await expect.element(page.getByLabelText(/Saya menyetujui/)).toBeChecked()
    await app.reload()
    for (const [label, value] of Object.entries(own)) await expect.element(labelled(label)).toHaveValue(value)
    await expect.element(page.getByLabelText(/Saya menyetujui/)).toBeChecked()
  })
})

it.each([
  [40, /langsung dapat 40 kredit untuk mencoba/, 'Akun baru dapat 40 kredit gratis.'],
  [0, /^Gratis\.$/, null],
])('promises the free credits that the server gives: %i', async (welcomeCredits, lead, offer) => {
  const { api, reload } = await openApp('/register', { api: { 'GET /api/site': { ...site, welcomeCredits } } })
  await text(lead).toBeVisible()
  await reload('/pricing')
  const siteCalls = () => api.callsTo('GET /api/site').length
  await expect.poll(siteCalls).toBe(2)
  if (offer) await text(offer).toBeVisible()
  else await expect.poll(() => page.getByText(/Akun baru dapat/).all()).toHaveLength(0)
})

it('is wholly Indonesian with the app in English, and leaving it brings English back', async () => {
  await openApp('/register', { language: 'en' })
  await expect.element(page.getByRole('heading', { name: 'Daftar' })).toBeVisible()
  await fill({ 'Kata sandi': 'abc', 'Konfirmasi kata sandi': 'x' })
  await press('Daftar')
  await text('Kata sandi minimal 8 karakter').toBeVisible()
  await text('Kata sandi tidak sama').toBeVisible()
  await text('Harap centang persetujuan').toBeVisible()
  // The page scrolls to the first problem; until then a click could miss the link.
  await expect.element(page.getByLabelText('Email')).toHaveFocus()
  expect(document.documentElement.lang).toBe('id')
  expect(page.getByRole('link', { name: /ganti bahasa|change the language/i }).all()).toHaveLength(0)
  await page.getByRole('link', { name: 'Syarat Layanan' }).click()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Terms of service')
  expect(document.documentElement.lang).toBe('en')
})

describe('a failed sign-in shows the reason', () => {
  it('by the server’s message, and the password can be shown', async () => {
    const msg = 'Email atau kata sandinya salah'
    await openApp('/login', { api: { 'POST /api/login': refusal(401, 'auth.invalid_credentials', msg) } })
    await fill({ Email: sari.email, 'Kata sandi': 'Salah-123!' })
    await press('Tampilkan kata sandi')
    await expect.element(labelled('Kata sandi')).toHaveAttribute('type', 'text')
    await press('Masuk')
    await text(msg).toBeVisible()
    expect(address()).toBe('/login')
    expect(localStorage.getItem('authToken')).toBeNull()
  })

  it('and offers the mail again for an address that is not verified yet', async () => {
    await openApp('/login', {
      api: { 'POST /api/login': refusal(403, 'auth.email_unverified', 'Email belum diverifikasi') },
    })
    await fill({ Email: sari.email, 'Kata sandi': password })
    await press('Masuk')
    await text('Email belum diverifikasi').toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Kirim ulang' })).toBeVisible()
  })

  it('and keeps the fields without the server', async () => {
    const { api, messages } = await openApp('/login')
    api.setReachable(false)
    await fill({ Email: 'a@contoh.test', 'Kata sandi': password })
    await press('Masuk')
    await expect.poll(messages).toContain('Terjadi kesalahan')
    await text(/Server tidak terjangkau/).toBeVisible()
    await expect.element(labelled('Email')).toHaveValue('a@contoh.test')
  })
})

it('offers a new link in place of an invalid one for the password', async () => {
  await openApp('/reset-password/tidak-ada', {
    api: {
      'GET /api/reset_password/*': refusal(422, 'auth.token_invalid', 'Tautan ini tidak berlaku lagi'),
      'POST /api/reset_password/*': refusal(422, 'auth.token_invalid', 'Tautan ini tidak berlaku lagi'),
    },
  })
  await fill({ 'Kata sandi baru': password, 'Konfirmasi kata sandi': password })
  await press('Simpan kata sandi')
  await expect.element(page.getByRole('link', { name: 'Minta tautan baru' })).toBeVisible()
})

it('says that the clock of the device is wrong when a code of the authenticator fails there', async () => {
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000)
  const headers = { date: inTwoDays.toUTCString(), 'cache-control': 'no-store' }
  const factor = { code: 'second_factor.required', msg: '', details: { challenge: 'c', factors: 'code' } }
  const app = await openApp('/login', {
    api: {
      'POST /api/login': () => Response.json(factor, { status: 401, headers }),
      'POST /api/login_code': () => refusal(422, 'second_factor.wrong_code', 'Kodenya salah'),
    },
  })
  await fill({ Email: sari.email, 'Kata sandi': password })
  await press('Masuk')
  await fill({ Kode: '123456' })
  await press('Lanjut')
  await text(/Jam perangkat ini .* padahal sekarang .* setel tanggal dan jam ke otomatis/).toBeVisible()
  app.api.serve({ 'POST /api/login_code': { access_token: tokenOf(sari, { exp: Date.now() / 1000 + 3 * 86_400 }) } })
  app.api.serve(userRoutes)
  await fill({ Kode: '654321' })
  await press('Lanjut')
  await expect.poll(address).toBe('/')
})

it('removes an expired token at the start, and asks to sign in again', async () => {
  const app = await openApp('/login', { api: { 'POST /api/login': { access_token: tokenOf(sari) } } })
  localStorage.setItem('authToken', tokenOf(sari, { iat: 1, exp: 2 }))
  await app.restart('/')
  await text('Sesimu sudah berakhir').toBeVisible()
  expect(localStorage.getItem('authToken')).toBeNull()
  await page.getByRole('link', { name: 'Masuk lagi' }).click()
  await text(/Sesimu sudah berakhir\. Masuk lagi untuk melanjutkan/).toBeVisible()
})

describe('pages for those who may open them', () => {
  const adminScreens = [
    ...['/admin/dashboard', '/admin/fitur', '/admin/voucher', '/admin/request-custom', '/admin/billing'],
    ...['/admin/users', '/admin/users/me', '/admin/kredit/harga', '/admin/kredit/riwayat'],
  ]

  it('send a visitor to sign in and back, and a user away from the admin area and the sign-in', async () => {
    await openApp('/billing', { api: { 'POST /api/login': { access_token: tokenOf(sari) }, ...userRoutes } })
    await expect.poll(address).toBe('/login')
    await fill({ Email: sari.email, 'Kata sandi': password })
    await press('Masuk')
    await expect.poll(address).toBe('/billing')
    for (const screen of [...adminScreens, '/login']) {
      navigateInApp(screen)
      await expect.poll(address, { message: screen }).toBe('/')
    }
  })

  it('send a visitor from every admin page to sign in, and a user who does so home', async () => {
    await openApp('/admin/dashboard', { api: { 'POST /api/login': { access_token: tokenOf(sari) }, ...userRoutes } })
    for (const screen of adminScreens) {
      navigateInApp(screen)
      await expect.poll(address, { message: screen }).toBe('/login')
    }
    await fill({ Email: sari.email, 'Kata sandi': password })
    await press('Masuk')
    await expect.poll(address).toBe('/')
  })

  it('send an admin to the dashboard whatever the target was, and let them open the other screens', async () => {
    await openApp('/billing', {
      size: desktop,
      api: { ...usualRoutes(staff, 25), ...staffRoutes, 'POST /api/login': { access_token: tokenOf(staff) } },
    })
    await expect.poll(address).toBe('/login')
    await fill({ Email: staff.email, 'Kata sandi': password })
    await press('Masuk')
    await expect.poll(address).toBe('/admin/dashboard')
    // The accessibility test opens every screen.
    navigateInApp('/admin/users/me')
    await text(staff.email).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Ganti kata sandi' })).toBeVisible()
    navigateInApp('/login')
    await expect.poll(address).toBe('/admin/dashboard')
  })

  it('send a designer to the custom requests from every other admin page and from the sign-in', async () => {
    await openApp('/login', {
      user: designer,
      api: { 'GET /api/admin/custom_edits': { items: [], nextCursor: null } },
    })
    for (const screen of [...adminScreens, '/login', '/register', '/forgot-password']) {
      navigateInApp(screen)
      await expect.poll(address, { message: screen }).toBe('/admin/request-custom')
    }
  })
})

const languages = import.meta.env.SOAK ? (['en', 'id'] as const) : (['en'] as const)
it.each(languages)('is Indonesian with the app in %s', async (language) => {
  const { messages } = await openApp('/login', {
    language,
    api: { 'POST /api/forgot_password': undefined, 'POST /api/register': Response.json({}, { status: 201 }) },
  })
  await expect.element(page.getByRole('heading', { name: 'Masuk' })).toBeVisible()
  await expect.element(page.getByLabelText('Ingat saya')).toBeVisible()
  await press('Masuk')
  const [required, invalid, noPassword] = ['Bagian ini wajib diisi', 'Email tidak valid', 'Kata sandi wajib diisi']
  await expect.element(page.getByText(required, { exact: true })).toBeVisible()
  await expect.element(page.getByText(noPassword, { exact: true })).toBeVisible()
  for (const wrong of ['siti', 'siti@', '@contoh.test', 'siti@contoh', "siti'--@contoh .test", '<b>@contoh.test>']) {
    await fill({ Email: wrong })
    await expect.element(page.getByText(invalid, { exact: true }), { message: wrong }).toBeVisible()
  }

  await page.getByRole('link', { name: 'Lupa kata sandi?' }).click()
  await expect.element(page.getByRole('heading', { name: 'Lupa kata sandi' })).toBeVisible()
  await fill({ Email: '' })
  await press('Kirim')
  await expect.element(page.getByText(required, { exact: true })).toBeVisible()
  await fill({ Email: 'tidak-ada@contoh.test' })
  await press('Kirim')
  await expect.poll(messages).toContain('Berhasil mengirim email reset password')
  await text('tidak-ada@contoh.test').toBeVisible()
  await page.getByRole('link', { name: 'Kembali ke halaman masuk' }).click()

  await page.getByRole('link', { name: 'Daftar' }).click()
  await press('Daftar')
  await text('Harap centang persetujuan').toBeVisible()
  await fill({ Nama: 'Tari', Email: 'tari@contoh.test', 'Kata sandi': password, 'Konfirmasi kata sandi': password })
  await fill({ 'Tahun lahir': '1998' })
  await page.getByLabelText(/Saya menyetujui/).click()
  await press('Daftar')
  await expect.poll(messages).toContain('Berhasil mendaftar, silahkan cek email untuk verifikasi')
  await expect.element(page.getByRole('button', { name: 'Kirim ulang' })).toBeVisible()
})

it('mails the owner of a blocked account a link that signs in on this device', async () => {
  const { api } = await openApp('/login', {
    api: {
      'POST /api/login': refusal(429, 'request.rate_limited', 'Terlalu banyak percobaan'),
      'POST /api/forgot_password': undefined,
    },
  })
  await fill({ Email: sari.email, 'Kata sandi': password })
  await press('Masuk')
  await press('Kirim tautan ke emailku')
  await text(/tautannya sudah dikirim ke sana dan berlaku 60 menit/).toBeVisible()
  expect(api.callsTo('POST /api/forgot_password')).toMatchObject([{ body: { email: sari.email } }])
})
