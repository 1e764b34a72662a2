import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { AdminUserView } from '#features/account/admin/schemas.ts'
import { address, desktop, openApp } from '#tests/support/components/open-app.tsx'
import { designer, inDays, staff } from '#tests/support/components/samples.ts'
import { button, savedFiles } from '#tests/support/components/screen.ts'
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
  await button('Menu').click()
  await page.getByRole('link', { name: 'Pengumuman' }).click()
  await expect.element(page.getByRole('heading', { name: 'Pengumuman' })).toBeVisible()
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
