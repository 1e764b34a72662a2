import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { ApiKeyView } from '#features/account/api-key-schemas.ts'
import { setText } from '#tests/support/components/layout.ts'
import { openApp } from '#tests/support/components/open-app.tsx'
import { inDays, sari } from '#tests/support/components/samples.ts'
import { button } from '#tests/support/components/screen.ts'
import { type ApiCall, refusal } from '#tests/support/components/stub-api.ts'
import { violations } from '#tests/support/components/violations.ts'

const labelled = (label: string) => page.getByLabelText(label, { exact: true })

it('creates a key for tests, shows it once, and revokes another one', async () => {
  const secret = `rupa_test_${'a1'.repeat(32)}`
  let items: ApiKeyView[] = [
    {
      id: 'shop',
      name: 'Toko',
      mode: 'live',
      scopes: ['run'],
      hint: 'rupa_live_3f2a',
      dailyCredits: 100,
      createdAt: inDays(-9),
      expiresAt: null,
      lastUsedAt: null,
    },
  ]
  const { api, messages } = await openApp('/profile', {
    user: sari,
    api: {
      'GET /api/user/api_keys': () => ({ items }),
      'POST /api/user/api_keys': ({ body }: ApiCall) => {
        const { password, ...asked } = body as ApiKeyView & { password: string }
        if (password !== 'Rahasia-123!') return refusal(422, 'auth.wrong_password', 'Kata sandi saat ini salah.')
        const made = { ...asked, id: 'new', hint: 'rupa_test_a1a1', createdAt: inDays(0), lastUsedAt: null }
        items = [{ ...made, expiresAt: null }, ...items]
        return { ...items[0], key: secret }
      },
      'DELETE /api/user/api_keys/shop': () => {
        items = items.filter(({ id }) => id !== 'shop')
      },
    },
  })
  await expect.element(page.getByText(/rupa_live_3f2a… · utama · jalankan · 100 kredit sehari/)).toBeVisible()
  await button('Buat kunci').click()
  const sheet = page.getByRole('dialog')
  await labelled('Nama').last().fill('Percobaan')
  await sheet.getByText('Uji', { exact: true }).click()
  await labelled('Lihat sisa kredit dan pemakaian').click()
  await labelled('Kata sandi saat ini').fill('Rahasia-123!')
  expect(await violations()).toEqual([])
  await page.viewport(360, 640)
  await setText(200)
  await sheet.getByRole('button', { name: 'Buat kunci' }).click()
  await expect.element(sheet.getByText(secret)).toBeVisible()
  await expect.element(sheet.getByRole('heading', { name: 'Kunci API baru' })).toBeInViewport({ ratio: 1 })
  await setText(100)
  const asked = { name: 'Percobaan', mode: 'test', scopes: ['run', 'read'], dailyCredits: null, days: null }
  expect(api.callsTo('POST /api/user/api_keys')[0]?.body).toMatchObject(asked)
  await sheet.getByRole('button', { name: 'Sudah kusimpan' }).click()
  await expect.element(page.getByText(secret)).not.toBeInTheDocument()
  await button('Cabut Toko').click()
  await button('Cabut kunci').click()
  await expect.poll(messages).toContain('Kunci dicabut')
  await expect.element(page.getByText(/rupa_live_3f2a/)).not.toBeInTheDocument()
})
