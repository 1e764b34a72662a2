import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { setLanguage, showIndonesianOnly } from '#client/i18n.ts'
import { signOut, store } from '#client/session.ts'
import { inAppAtom, offerExternalBrowser } from '#features/installed-app/app/install.ts'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { setText } from '#tests/support/components/layout.ts'
import { address, navigateInApp, openApp } from '#tests/support/components/open-app.tsx'
import {
  generationOf,
  inDays,
  orderOf,
  pictureFile,
  sari,
  tokenOf,
  usualRoutes,
} from '#tests/support/components/samples.ts'
import { button, choose, heading, savedFiles } from '#tests/support/components/screen.ts'
import { type ApiCall, refusal } from '#tests/support/components/stub-api.ts'
import { violations } from '#tests/support/components/violations.ts'
import { toolContracts } from '#tools/contracts.ts'
import { showSnackbar } from '#ui/snackbar.tsx'

const text = (content: string | RegExp) => expect.element(page.getByText(content).first())

describe('the member’s home', () => {
  it('shows the unpaid order, the latest results, and an input for the next photo', async () => {
    const order = orderOf('o1', { package: { id: 'starter', name: 'STARTER', cents: 300, credits: 60, days: 30 } })
    const server = new GenerationServer()
    const app = await openApp('/', { user: sari, api: server.routes })
    await expect.element(heading).toHaveTextContent('Halo, Sari. Foto apa hari ini?')
    expect(page.getByText('Bayar sebelum').all()).toHaveLength(0)
    server.generations = [generationOf('a')]
    app.api.serve({ 'GET /api/orders': { items: [order], nextCursor: null }, 'GET /api/orders/*': order })
    await app.reload()
    const results = page.getByRole('region', { name: 'Hasil terakhir' }).getByRole('listitem')
    await expect.element(results).toHaveLength(1)
    const [result, input] = [results.element(), page.getByRole('region', { name: 'Pilih foto' }).element()]
    expect(result.getBoundingClientRect().bottom).toBeLessThanOrEqual(input.getBoundingClientRect().top)
    expect(input.getBoundingClientRect().top).toBeLessThan(window.innerHeight)
    const unpaid = page.getByRole('link', { name: /Paket STARTER, Rp\s*48\.000/ })
    await expect.element(unpaid).toBeVisible()
    expect(await violations()).toEqual([])
    await unpaid.click()
    await expect.poll(address).toBe('/checkout?order=o1')
    history.back()
    await results.getByRole('button').click()
    await expect.poll(address).toBe('/history?id=a')
    history.back()
    await expect.element(results).toHaveLength(1)
    await choose(await pictureFile(512, 600))
    await expect.poll(address).toBe('/ai-background-removal')
  })

  it('tells when credits are too few for another generation, also beside the result, and sells more there', async () => {
    const server = new GenerationServer()
    server.generations = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => generationOf(id, { finishedAt: inDays(0) }))
    server.credits = 20
    const { api } = await openApp('/', { user: sari, api: server.routes })
    await expect.element(page.getByRole('heading', { name: 'Hasil terakhir' })).toBeVisible()
    // The results scroll in their row, not with the page.
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth)
    const notice = page.getByText('Saldo 3 kredit belum cukup untuk Hapus Latar lagi (5 kredit).')
    expect(notice.all()).toHaveLength(0)
    server.credits = 3
    api.emit('credits', { credits: 3 })
    await expect.element(notice).toBeVisible()
    await page.getByRole('region', { name: 'Hasil terakhir' }).getByRole('button').first().click()
    await expect.poll(address).toBe('/history?id=a')
    await expect.element(page.getByText('Hasil lain butuh 5 kredit, saldomu 3. Ubah yang ini gratis.')).toBeVisible()
    await button('Tambah kredit').click()
    const sheet = page.getByRole('dialog', { name: 'Kurang 2 kredit' })
    await expect.element(sheet).toMatchTextContent('Dibayar hari ini, berlaku sampai')
    const pay = sheet.getByRole('button', { name: /^Bayar Rp.* dengan QRIS$/ })
    await expect.element(pay).toBeVisible()
    expect(await violations()).toEqual([])
    const order = orderOf('o1', { method: 'qris' })
    api.serve({ 'POST /api/orders': order, 'GET /api/orders/*': order, 'POST /api/orders/*/check': order })
    await sheet.getByRole('checkbox').click()
    await pay.click()
    await expect.element(page.getByRole('dialog', { name: 'Bayar dengan QRIS' })).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Tutup', exact: true }).click()
    await expect.element(page.getByRole('slider')).toBeVisible()
    // Consents stay given where the buyer chooses another method for the same package.
    await button('Tambah kredit').click()
    await sheet.getByRole('checkbox').click()
    await sheet.getByRole('link', { name: 'Metode lain atau voucher' }).click()
    await expect.element(page.getByRole('checkbox', { name: /Kebijakan Privasi/ })).toBeChecked()
    await expect.element(page.getByRole('checkbox', { name: /Syarat Layanan/ })).toBeChecked()
    history.back()

    // Options come first where space is scarce.
    await page.viewport(360, 640)
    await expect.element(button('Transparan')).toBeInViewport({ ratio: 1 })
  })
})

describe('in the browser of Instagram', () => {
  const android = 'Mozilla/5.0 (Linux; Android 14; SM-A155F; wv) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36'
  const inInstagram = () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`${android} Instagram 360.0.0.52.192 Android`)
    onTestFinished(() => store.set(inAppAtom, null))
  }
  const sheet = page.getByRole('dialog', { name: 'Lanjut di Chrome?' })
  const wayOut = (path: string) => new RegExp(`^intent://${location.host}${path}#Intent;.*package=com.android.chrome`)

  it('offers the same page in Chrome once, and a result that was signed in for and saved', async () => {
    inInstagram()
    savedFiles()
    const result = generationOf('a', { finishedAt: inDays(0) })
    const app = await openApp('/ai-enhancement', {
      api: {
        ...usualRoutes(sari, 20),
        'POST /api/login': { access_token: tokenOf(sari) },
        'GET /api/generations/*': result,
      },
    })
    offerExternalBrowser()
    await expect
      .element(sheet.getByRole('link', { name: 'Buka di Chrome' }))
      .toHaveAttribute('href', expect.stringMatching(wayOut('/ai-enhancement')))
    expect(await violations()).toEqual([])
    await sheet.getByRole('button', { name: 'Tetap di sini' }).click()
    await expect.element(sheet).not.toBeInTheDocument()
    await app.reload('/history?id=a')
    offerExternalBrowser()
    await page.getByRole('main').getByRole('link', { name: 'Masuk' }).click()
    expect(sheet.all()).toHaveLength(0)
    await page.getByLabelText('Email').fill(sari.email)
    await page.getByLabelText('Kata sandi', { exact: true }).fill('Rahasia-123!')
    await page.getByRole('button', { name: 'Masuk', exact: true }).click()
    await expect.poll(address).toBe('/history?id=a')
    await button('Unduh PNG').click()
    await expect
      .element(sheet.getByRole('link'))
      .toHaveAttribute('href', expect.stringMatching(wayOut('/history\\?id=a')))
  })

  it('carries the tool’s options in the link to Chrome, where only valid ones apply', async () => {
    inInstagram()
    const app = await openApp('/ai-enhancement', {
      api: {
        'POST /api/tools/*/params': ({ body }: ApiCall) => {
          const { problems, params } = toolContracts.enhancement.parseParams(body) as {
            problems?: object
            params?: object
          }
          return problems ? refusal(422, 'form.invalid', 'Pilihannya tidak cocok') : params
        },
      },
    })
    offerExternalBrowser()
    await button('Tetap di sini').click()
    await choose(await pictureFile(256, 300))
    await button('Ubah pilihannya').click()
    await page.getByText('4×', { exact: true }).click()
    await expect.poll(address).toBe('/ai-enhancement?options=%7B%22scale%22%3A4%7D')
    await button('Perjelas foto').click()
    await button('Daftar gratis').click()
    const link = page.getByRole('link', { name: 'Buka di Chrome' })
    const path = '/ai-enhancement\\?options=\\{%22scale%22%3A4\\}'
    await expect.element(link).toHaveAttribute('href', expect.stringMatching(wayOut(path)))

    // In Chrome the photo is chosen again.
    vi.mocked(Object.getOwnPropertyDescriptor(navigator, 'userAgent')?.get as () => string).mockReturnValue(android)
    store.set(inAppAtom, null)
    for (const [options, scale] of [
      ['{"scale":4}', '4×'],
      ['{"scale":3,"format":"exe"}', '2×'],
    ] as const) {
      // Chrome knows nothing of what was done here.
      await signOut()
      await app.reload(`/ai-enhancement?options=${encodeURIComponent(options)}`)
      await expect.poll(address).toBe('/ai-enhancement')
      await choose(await pictureFile(256, 300))
      await button('Ubah pilihannya').click()
      await expect.element(page.getByRole('radio', { name: scale })).toBeChecked()
    }
  })
})

it('scrolls all tools inside the menu of the header on a phone on its side', async () => {
  await openApp('/', { size: [844, 390] })
  await button('Alat').first().click()
  const tools = page.getByRole('dialog', { name: 'Alat' })
  await expect.element(tools.getByRole('link', { name: /^Hapus Latar Video/ })).toBeInTheDocument()
  const menu = tools.element()
  expect(menu.getBoundingClientRect().bottom).toBeLessThanOrEqual(390)
  menu.scrollTop = menu.scrollHeight
  const links = [...menu.querySelectorAll('a')]
  expect(links.at(-1)?.getBoundingClientRect().bottom).toBeLessThanOrEqual(390)
  expect(getComputedStyle(menu).overscrollBehaviorY).toBe('contain')
})

it.each([['visitor'], ['member']])(
  'shows a %s every entry of the header in 200 %% text on a phone on its side',
  async (who) => {
    await openApp('/pricing', { language: 'en', size: [844, 390], ...(who === 'member' && { user: sari }) })
    await setText(200)
    onTestFinished(() => setText(100))
    const entries = () => [...document.querySelectorAll('header :is(a, button)')].filter((one) => one.checkVisibility())
    await expect.poll(() => entries().length).toBe(7)
    const sides = entries().map((entry) => entry.getBoundingClientRect())
    for (const [index, { left, right }] of sides.entries()) {
      expect(left).toBeGreaterThanOrEqual(sides[index - 1]?.right ?? 0)
      expect(right).toBeLessThanOrEqual(window.innerWidth)
    }
  },
)

it('scrolls up by the entry of the page that is shown', async () => {
  await openApp('/pricing')
  await expect.element(page.getByRole('heading', { name: 'Harga tiap alat' })).toBeInTheDocument()
  window.scrollTo(0, 300)
  await expect.poll(() => window.scrollY).toBe(300)
  await page.getByRole('navigation', { name: 'Menu utama' }).getByRole('link', { name: 'Kredit' }).click()
  await expect.poll(() => window.scrollY).toBe(0)
  expect(address()).toBe('/pricing')
})

it('asks for a new password below the header’s only logo', async () => {
  const login = { access_token: tokenOf(sari, { due: 'password' }) }
  await openApp('/login', { api: { ...usualRoutes(sari, 0), 'POST /api/login': login } })
  await page.getByLabelText('Email').fill('sari@contoh.test')
  await page.getByLabelText('Kata sandi', { exact: true }).fill('Bawaan-1')
  await page.getByRole('button', { name: 'Masuk', exact: true }).click()
  await expect.element(page.getByRole('heading', { name: 'Ganti kata sandi' })).toBeVisible()
  expect(page.getByText('Rupa', { exact: true }).all()).toHaveLength(1)
})

it('offers English once to an English browser, which starts in Indonesian', async () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('en-GB')
  const app = await openApp('/')
  localStorage.removeItem('language')
  await app.reload('/')
  const offer = page.getByText('Use Rupa in English?')
  await expect.element(page.getByRole('heading', { name: 'Sekali ketuk, latar fotomu hilang.' })).toBeVisible()
  await expect.element(offer).toBeVisible()
  // As signing in with an English account does.
  await setLanguage('en')
  await expect.element(offer).not.toBeInTheDocument()
  localStorage.removeItem('language')
  await app.reload('/')
  await button('Tetap Indonesia').click()
  await expect.element(offer).not.toBeInTheDocument()
  await app.reload('/')
  await expect.element(page.getByRole('link', { name: 'Masuk' }).first()).toBeVisible()
  expect(offer.all()).toHaveLength(0)
  localStorage.clear()
  await app.reload('/')
  await page.getByRole('button', { name: 'English', exact: true }).last().click()
  await expect.poll(() => document.documentElement.lang).toBe('en')
  await expect.element(offer).not.toBeInTheDocument()
  // As the sign-up sheet of a tool does.
  showIndonesianOnly(true)
  await expect.poll(() => document.documentElement.lang).toBe('id')
  expect(offer.all()).toHaveLength(0)
  showIndonesianOnly(false)
})

it('shows a page for an unknown address, with links back and home', async () => {
  await openApp('/pricing')
  for (const [role, name, target] of [
    ['button', 'Kembali', '/pricing'],
    ['link', 'Ke beranda', '/'],
  ] as const) {
    navigateInApp('/entah-apa')
    await expect.element(heading).toHaveTextContent('Halaman tidak ditemukan')
    await text('Maaf, halaman yang Anda cari tidak ditemukan.').toBeVisible()
    await page.getByRole(role, { name, exact: true }).click()
    await expect.poll(address).toBe(target)
  }
})

it('keeps a message for 3000 ms, fades it for 500 ms, and closes it by its button', async () => {
  await openApp('/pricing')
  await expect.element(heading).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    // A message that is left would cover the buttons of the tests that follow.
    vi.runAllTimers()
    vi.useRealTimers()
  })
  const message = () => document.querySelector<HTMLElement>('.toast > .alert')
  const state = () => message() && (message()?.hasAttribute('data-leaving') ? 'leaving' : message()?.textContent)
  /** A busy page renders a change late; `expect.poll` would move the clock by itself. */
  const after = async (milliseconds: number, expected: string | null) => {
    vi.advanceTimersByTime(milliseconds)
    for (let frames = 0; frames < 3 || (frames < 600 && state() !== expected); frames++)
      await new Promise(requestAnimationFrame)
    expect(state()).toBe(expected)
  }
  showSnackbar('error', 'Terjadi kesalahan')
  await after(0, 'Terjadi kesalahan')
  await after(2999, 'Terjadi kesalahan')
  await after(1, 'leaving')
  await after(499, 'leaving')
  await after(1, null)

  showSnackbar('error', 'Terjadi kesalahan')
  await after(0, 'Terjadi kesalahan')
  await page.getByRole('button', { name: 'Tutup pesan' }).click()
  await after(0, 'leaving')
  await after(500, null)
})

it('is in Indonesian at first, and remembers the language chosen', async () => {
  const app = await openApp('/')
  await expect.element(heading).toHaveTextContent('Sekali ketuk, latar fotomu hilang.')
  await page
    .getByRole('link', { name: /English/ })
    .first()
    .click()
  await expect.element(heading).toHaveTextContent('One tap, and the background is gone.')
  await app.reload()
  await expect.element(heading).toHaveTextContent('One tap, and the background is gone.')
  expect(document.documentElement.lang).toBe('en')
})

it('shows announcements above the pages in their time, also offline, until they are closed', async () => {
  const hourMs = 3_600_000
  const at = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()
  const announcement = (id: string, text: string, hours: number) => ({
    id,
    text: { id: text, en: 'In English' },
    path: null,
    startsAt: at(hours),
    endsAt: null,
  })
  const items = [announcement('a', 'Besok server dirawat', -1), announcement('b', 'Diskon dua kali lipat', 2)]
  const app = await openApp('/pricing', { api: { 'GET /api/announcements': { items } } })
  const region = page.getByRole('region', { name: 'Pengumuman' })
  const texts = () => region.elements().map(({ textContent }) => textContent)
  await expect.poll(texts).toEqual(['Besok server dirawat'])
  expect(await violations()).toEqual([])

  app.api.serve({ 'GET /api/announcements': () => Promise.reject(new TypeError('Failed to fetch')) })
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now + 3 * hourMs)
  await app.reload()
  await expect.poll(texts).toEqual(['Besok server dirawat', 'Diskon dua kali lipat'])
  await region.first().getByRole('button', { name: 'Tutup pengumuman' }).click()
  await expect.poll(texts).toEqual(['Diskon dua kali lipat'])
  await app.reload()
  await expect.poll(texts).toEqual(['Diskon dua kali lipat'])
})
