import { expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { AdminUserView, UserSummary } from '#features/account/admin/schemas.ts'
import type { TimelineKind } from '#features/admin/rules.ts'
import type { Dashboard, TimelineEntry } from '#features/admin/schemas.ts'
import { brokenWords, setText } from '#tests/support/components/layout.ts'
import { address, desktop, openApp } from '#tests/support/components/open-app.tsx'
import { designer, inDays, staff } from '#tests/support/components/samples.ts'
import { button, savedFiles } from '#tests/support/components/screen.ts'
import { adminOrder } from '#tests/support/components/staff-samples.ts'
import { type ApiCall, refusal } from '#tests/support/components/stub-api.ts'
import { violations } from '#tests/support/components/violations.ts'

const users: AdminUserView[] = ['Kemuning', 'Kenanga'].map((name, index) => ({
  id: `u${index}`,
  name,
  email: `${name.toLowerCase()}@contoh.test`,
  role: 'user',
  duty: null,
  disabled: false,
  tags: [],
  verified: true,
  credits: 25,
  createdAt: inDays(-index),
}))

const userList = ({ query, headers }: ApiCall) => {
  const found = users.filter(({ name }) => name.toLowerCase().includes((query.get('search') ?? '').toLowerCase()))
  if (headers.get('accept') === 'text/csv')
    return new Response(`"id"\r\n${found.map(({ id }) => `"${id}"`).join('\r\n')}`)
  return { items: query.get('sort') === 'name' ? found : found.toReversed(), nextCursor: null }
}

const api = { 'GET /api/admin/users': userList }
const searchbox = page.getByRole('searchbox')

it('keeps search, order and page of a list in the address, and saves all of it as a file', async () => {
  const app = await openApp('/admin/users', { user: staff, size: desktop, api })
  const firstRow = () => document.querySelector('tbody a')?.textContent
  await expect.element(page.getByRole('link', { name: /Kemuning/ })).toBeVisible()
  await searchbox.fill('ken')
  await expect.poll(address).toMatch(/search=ken/)
  await expect.element(page.getByRole('link', { name: /Kemuning/ })).not.toBeInTheDocument()
  await searchbox.fill('ke')
  await button('Nama').click()
  await expect.poll(address).toMatch(/sort=name/)
  await expect.poll(firstRow).toContain('Kemuning')
  await app.reload()
  await expect.element(searchbox).toHaveValue('ke')
  await expect.poll(firstRow).toContain('Kemuning')
  const saved = savedFiles()
  await button('Ekspor CSV').click()
  await expect.poll(() => saved).toEqual([expect.stringMatching(/\.csv$/)])
  const asked = app.api.callsTo('GET /api/admin/users').find(({ headers }) => headers.get('accept') === 'text/csv')
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ search: 'ke', sort: 'name' })
  await searchbox.fill('tidak-ada-yang-begini')
  await expect.element(page.getByText('Tidak ada pengguna yang cocok')).toBeVisible()
  await page.getByRole('navigation', { name: 'Navigasi admin' }).getByRole('link', { name: 'Pengguna' }).click()
  await expect.element(searchbox).toHaveValue('')
  await expect.element(page.getByRole('link', { name: /Kemuning/ })).toBeVisible()
  expect(address()).toBe('/admin/users')
})

it('sorts lists by their headings on a phone, and has the navigation in a drawer', async () => {
  await openApp('/admin/users', {
    user: staff,
    api: { ...api, 'GET /api/admin/announcements': { items: [] } },
  })
  await button('Nama').click()
  await expect.poll(address).toMatch(/sort=name/)
  const message = document.querySelector('.app-shell > .toast')?.getBoundingClientRect()
  expect(message?.top).toBeGreaterThanOrEqual(button('Menu').element().getBoundingClientRect().bottom)
  await button('Menu').click()
  await page.getByRole('link', { name: 'Pengumuman' }).click()
  await expect.element(page.getByRole('heading', { name: 'Pengumuman' })).toBeVisible()
})

it('keeps the words of filters clear of their arrows on a phone', async () => {
  await openApp('/admin/billing', {
    user: staff,
    api: { 'GET /api/admin/orders': { items: [], nextCursor: null }, 'GET /api/admin/orders/totals': { orders: 0 } },
  })
  await expect.element(page.getByRole('combobox', { name: 'Pengembalian' })).toBeVisible()
  const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D
  const covered = [...document.querySelectorAll('select')].filter((select) => {
    const style = getComputedStyle(select)
    context.font = style.font
    const { width } = context.measureText(select.selectedOptions[0]?.text ?? '')
    const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight)
    return width > select.clientWidth - padding + 1
  })
  expect(covered.map(({ ariaLabel }) => ariaLabel)).toEqual([])
})

it('keeps the focus inside the drawer, gives it back on Escape, and saves its appearance with the account', async () => {
  const app = await openApp('/admin/users', { user: staff, api })
  const menu = button('Menu')
  await menu.click()
  await expect.element(page.getByRole('dialog', { name: 'Area admin' })).toBeVisible()
  expect(document.querySelector('dialog:focus, dialog :focus')).not.toBeNull()
  // Nothing of the page behind takes the focus.
  const search = document.querySelector<HTMLInputElement>('input[type=search]')
  search?.focus()
  expect(document.activeElement).not.toBe(search)
  await button('Tampilan gelap').click()
  await expect.poll(() => document.documentElement.dataset.theme).toBe('dark')
  await expect.poll(() => app.api.callsTo('PATCH /api/user/me')).toMatchObject([{ body: { theme: { mode: 'dark' } } }])
  await userEvent.keyboard('{Escape}')
  await expect.element(menu).toHaveFocus()
  await expect.element(page.getByRole('link', { name: 'Pembukuan' })).not.toBeInTheDocument()
})

it('has the board alone for a designer', async () => {
  await openApp('/admin/users', {
    user: designer,
    size: desktop,
    api: { 'GET /api/admin/custom_edits': { items: [], nextCursor: null } },
  })
  await expect.poll(address).toBe('/admin/request-custom')
  await expect.element(page.getByRole('heading', { name: 'Permintaan khusus' })).toBeVisible()
  await expect.element(page.getByRole('navigation', { name: 'Navigasi admin' }).getByRole('link')).toHaveLength(1)
})

it('refuses the code of an existing voucher in words, and explains errors beside the fields', async () => {
  const { api: stub } = await openApp('/admin/voucher', {
    user: staff,
    size: desktop,
    api: {
      'GET /api/admin/vouchers': { items: [], nextCursor: null },
      'POST /api/admin/vouchers': ({ body }: ApiCall) => {
        const { code } = body as { code: string }
        return code === 'HALO-2026'
          ? refusal(422, 'form.invalid', 'Periksa lagi', { code: 'Kode ini sudah dipakai' })
          : Response.json({}, { status: 201 })
      },
    },
  })
  const dialog = page.getByRole('dialog')
  await button('Voucher baru').click()
  await dialog.getByLabelText('Kode').fill('HALO-2026')
  await dialog.getByLabelText('Kredit', { exact: true }).fill('10')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect.element(dialog.getByText('Kode ini sudah dipakai')).toBeVisible()
  expect(await violations()).toEqual([])
  await dialog.getByLabelText('Kode').fill('KAMBOJA')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(stub.callsTo('POST /api/admin/vouchers')).toHaveLength(2)
})

const figures = {
  orders: 0,
  newUsers: 0,
  activeUsers: 0,
  generations: 0,
  failed: 0,
  medianSeconds: null,
  creditsSold: 0,
  creditsSpent: 0,
  creditsExpired: 0,
}

const dashboard: Dashboard = {
  period: '30d',
  now: figures,
  before: figures,
  series: [],
  tools: [],
  open: {
    queued: 4,
    running: 1,
    ordersAwaiting: 2,
    paymentProblems: 0,
    refundRequests: 3,
    contentReports: 0,
    creditApprovals: 5,
    orderApprovals: 0,
    voucherApprovals: 0,
    customEdits: 6,
    customEditsOverdue: 0,
    differences: 7,
  },
}

it('lists the open work of every feature on the dashboard, and finds users and orders from everywhere', async () => {
  const order = { id: 'o1', receiptNumber: 'R-000123', buyer: users[0], package: null, voucher: null }
  await openApp('/admin/dashboard', {
    user: staff,
    size: desktop,
    api: {
      ...api,
      'GET /api/admin/dashboard': dashboard,
      'GET /api/admin/health': { items: [] },
      'GET /api/admin/models': { items: [] },
      'GET /api/admin/error_reports': { items: [] },
      'GET /api/admin/notices': { mode: 'daily' },
      'GET /api/admin/orders': { items: [order], nextCursor: null },
      'GET /api/admin/orders/*': adminOrder,
    },
  })
  const waiting = page.getByRole('region', { name: 'Menunggu sekarang' })
  await expect.element(waiting.getByText('Antrean 4, berjalan 1')).toBeVisible()
  const links = [...waiting.element().querySelectorAll('a')].map((link) => [
    link.textContent,
    link.getAttribute('href'),
  ])
  expect(links).toEqual([
    ['2 pesanan menunggu konfirmasi', '/admin/billing?status=0'],
    ['3 permintaan kredit kembali menunggu', '/admin/klaim'],
    ['5 pengaturan kredit menunggu persetujuan', '/admin/persetujuan'],
    ['6 permintaan khusus terbuka', '/admin/request-custom'],
    ['7 selisih pembukuan', '/admin/pembukuan'],
  ])
  onTestFinished(() => setText(100))
  await setText(200)
  const tiles = [...document.querySelectorAll('.stat')]
  expect(tiles.filter((tile) => tile.scrollWidth > tile.clientWidth).map((tile) => tile.textContent)).toEqual([])
  expect(brokenWords()).toEqual([])
  await setText(100)
  await userEvent.keyboard('{Control>}k{/Control}')
  const palette = page.getByRole('dialog')
  const found = palette.getByRole('option')
  await palette.getByRole('combobox').fill('kena')
  await expect.element(found.first()).toHaveTextContent('Kenangakenanga@contoh.test')
  await palette.getByRole('combobox').fill('R-0001')
  await expect.element(found.first()).toHaveTextContent('R-000123kemuning@contoh.test')
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/admin/billing/o1')
})

it('words each kind of entry in a user’s timeline', async () => {
  const entry = (kind: TimelineKind, what: string, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
    key: kind,
    kind,
    at: inDays(0),
    what,
    state: null,
    detail: null,
    subject: null,
    code: null,
    technical: null,
    again: null,
    amount: null,
    seconds: null,
    usd: null,
    ...more,
  })
  const items = [
    entry('run', 'cartoonizer', { state: 'failed', detail: 'Coba lagi', code: 'engine.failed' }),
    entry('order', '2', { state: 'Hemat', detail: 'paid', subject: 'o1' }),
    entry('credits', 'adjustment', { amount: 5, detail: 'Maaf' }),
    entry('claim', 'claim', { state: 'waiting', detail: 'Kabur' }),
    entry('request', 'request', { state: 'new', detail: 'Foto keluarga', subject: 'e1' }),
    entry('mail', 'verify_email', { state: 'owed', detail: 'Verifikasi' }),
    entry('security', 'sign_in', { detail: 'passkey', technical: 'private' }),
    entry('staff', 'account.noted', { state: 'Kepala', detail: 'Pindah kota' }),
  ]
  const summary: UserSummary = {
    credits: 25,
    unlimitedUntil: null,
    generations: 1,
    failedGenerations: 1,
    lastGenerationAt: null,
    paidOrders: 1,
    paidIdr: 20_000,
    refundRequests: 1,
    sessions: [],
  }
  const age = { band: 'adult', guardian: 'not_needed' }
  const user = { ...users[0], age, factors: { totp: false, passkeys: 0 }, note: '', changes: [] }
  await openApp('/admin/users/u0?tab=linimasa', {
    user: staff,
    size: desktop,
    api: {
      ...api,
      'GET /api/admin/dashboard': dashboard,
      'GET /api/admin/users/u0': user,
      'GET /api/admin/users/u0/summary': summary,
      'GET /api/admin/users/u0/timeline': { items, nextCursor: null },
    },
  })
  const rows = () =>
    [...document.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].slice(1, 3).map((cell) => cell.textContent),
    )
  await expect.poll(rows).toEqual([
    ['Pembuatan', 'Kartun Selfie · GagalCoba lagiengine.failed '],
    ['Pesanan', 'Hemat · LunasPembayaran diterima'],
    ['Kredit', 'Penyesuaian · +5Maaf'],
    ['Permintaan kredit kembali', 'Minta kredit kembali · MenungguKabur'],
    ['Permintaan khusus', 'Menunggu desainerFoto keluarga'],
    ['Email', 'VerifikasiBelum terkirim'],
    ['Keamanan', 'MasukKunci sandiprivate'],
    ['Oleh staf', 'Catatan akun diubahKepala · Pindah kota'],
  ])
  const links = [...document.querySelectorAll('tbody a')].map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/admin/billing/o1', '/admin/request-custom?id=e1'])
})
