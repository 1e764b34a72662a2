import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { openApp } from '#tests/support/components/open-app.tsx'
import { inDays, sari } from '#tests/support/components/samples.ts'
import { button } from '#tests/support/components/screen.ts'
import { type ApiCall, type Routes, refusal } from '#tests/support/components/stub-api.ts'
import { violations } from '#tests/support/components/violations.ts'
import type { DeliveryView, WebhookView } from '../schemas.ts'

const dialog = page.getByRole('dialog')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA='
const password = 'Rahasia-123!'

const webhookOf = (own: Partial<WebhookView> = {}): WebhookView => ({
  id: 'w-satu',
  url: 'https://toko.contoh.test/rupa',
  description: 'Toko',
  events: ['generation.succeeded'],
  disabled: null,
  previousSecretUntil: null,
  createdAt: inDays(-3),
  ...own,
})

const deliveryOf = (own: Partial<DeliveryView> = {}): DeliveryView => ({
  id: 'd-satu',
  event: 'generation.succeeded',
  subjectId: 'g-satu',
  state: 'delivered',
  attempts: 1,
  status: 204,
  error: null,
  lastAttemptAt: inDays(-1),
  nextAttemptAt: null,
  createdAt: inDays(-1),
  ...own,
})

const openProfile = (api: Routes, more: Partial<Parameters<typeof openApp>[1]> = {}) =>
  openApp('/profile', { user: sari, api, ...more })

it('adds an endpoint with the password, names a refused address, and shows the secret once', async () => {
  let items: WebhookView[] = []
  const { api } = await openProfile({
    'GET /api/user/webhooks': () => ({ items }),
    'POST /api/user/webhooks': ({ body }: ApiCall) => {
      const given = body as { url: string; description: string; events: WebhookView['events'] }
      if (given.url.includes('10.0.0.1'))
        return refusal(422, 'webhook.address_forbidden', 'Alamat ini tidak bisa dipakai.')
      const created = webhookOf(given)
      items = [created]
      return Response.json({ ...created, secret }, { status: 201 })
    },
  })
  await button('Tambah webhook').click()
  const add = dialog.getByRole('button', { name: 'Tambah webhook' })
  await dialog.getByLabelText('Alamat', { exact: true }).fill('https://10.0.0.1/')
  await dialog.getByLabelText('Keterangan', { exact: true }).fill('Toko')
  await dialog.getByLabelText('Proses dibatalkan').click()
  await add.click()
  await expect.element(dialog.getByText('Kata sandi wajib diisi')).toBeVisible()
  expect(api.callsTo('POST /api/user/webhooks')).toEqual([])
  await dialog.getByLabelText('Kata sandi saat ini', { exact: true }).fill(password)
  await add.click()
  await expect.element(dialog.getByText('Alamat ini tidak bisa dipakai.')).toBeVisible()
  await dialog.getByLabelText('Alamat', { exact: true }).fill(' https://toko.contoh.test/rupa ')
  await add.click()
  await expect.element(dialog.getByText(secret)).toBeVisible()
  expect(api.callsTo('POST /api/user/webhooks').at(-1)?.body).toEqual({
    password,
    url: 'https://toko.contoh.test/rupa',
    description: 'Toko',
    events: ['generation.succeeded', 'generation.failed'],
  })
  await dialog.getByRole('button', { name: 'Sudah kusimpan' }).click()
  await expect.element(button('Kelola Toko')).toBeVisible()
  expect(document.body.textContent).not.toContain('whsec_')
})

it('changes the events, tests, rotates and removes an endpoint', async () => {
  let webhook: WebhookView | null = webhookOf()
  let sent: DeliveryView[] = []
  const { api, messages } = await openProfile({
    'GET /api/user/webhooks': () => ({ items: webhook ? [webhook] : [] }),
    'PATCH /api/user/webhooks/*': ({ body }: ApiCall) => {
      const { enabled, ...change } = body as { enabled?: boolean; events?: WebhookView['events'] }
      webhook = { ...webhookOf(), ...change, disabled: enabled === false ? 'user' : null }
      return webhook
    },
    'POST /api/user/webhooks/*/ping': () => {
      sent = [deliveryOf({ event: 'webhook.ping' })]
      return Response.json(sent[0], { status: 202 })
    },
    'POST /api/user/webhooks/*/rotate': { secret },
    'GET /api/user/webhooks/*/deliveries': () => ({ items: sent, nextCursor: null }),
    'DELETE /api/user/webhooks/*': () => {
      webhook = null
    },
  })
  await button('Kelola Toko').click()
  await expect.element(dialog.getByText('Belum ada yang dikirim.')).toBeVisible()
  // The only event cannot be taken away.
  await expect.element(dialog.getByRole('switch', { name: 'Hasil selesai' })).toBeDisabled()
  await dialog.getByRole('switch', { name: 'Proses gagal' }).click()
  await expect.element(dialog.getByRole('switch', { name: 'Proses gagal' })).toBeChecked()
  // The switch shows the change before it is sent.
  await expect
    .poll(() => api.callsTo('PATCH /api/user/webhooks/w-satu').at(-1)?.body)
    .toEqual({ events: ['generation.succeeded', 'generation.failed'] })
  await dialog.getByRole('button', { name: 'Kirim uji coba' }).click()
  await expect.element(dialog.getByText(/^Pesan uji\s*Terkirim/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Ganti kunci' }).click()
  await expect.element(dialog.getByText(/selama 24 jam/)).toBeVisible()
  await dialog.getByLabelText('Kata sandi saat ini', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Ganti kunci' }).click()
  await expect.element(dialog.getByText(secret)).toBeVisible()
  await dialog.getByRole('button', { name: 'Sudah kusimpan' }).click()
  await dialog.getByRole('switch', { name: 'Aktif' }).click()
  await expect.element(dialog.getByRole('button', { name: 'Kirim uji coba' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Hapus', exact: true }).click()
  await dialog.getByRole('button', { name: 'Hapus webhook' }).click()
  await expect.poll(messages).toContain('Webhook dihapus')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(page.getByText('toko.contoh.test').all()).toHaveLength(0)
})

it('shows why a message did not arrive, loads older ones, and sends one again', async () => {
  const failed = deliveryOf({ id: 'd-gagal', state: 'failed', status: null, error: 'address_forbidden', attempts: 13 })
  const waiting = { state: 'pending', status: 500, nextAttemptAt: inDays(1), attempts: 2 } as const
  const older = deliveryOf({ id: 'd-lama', event: 'generation.cancelled' })
  const { api, messages } = await openProfile({
    'GET /api/user/webhooks': { items: [webhookOf()] },
    'GET /api/user/webhooks/*/deliveries': ({ query }: ApiCall) =>
      query.get('cursor') === 'lagi'
        ? { items: [older], nextCursor: null }
        : { items: [deliveryOf({ id: 'd-tunggu', ...waiting }), failed], nextCursor: 'lagi' },
    'POST /api/user/webhooks/*/deliveries/*/redeliver': undefined,
  })
  await button('Kelola Toko').click()
  await expect.element(dialog.getByText(/menuju jaringan pribadi.*percobaan ke-13/)).toBeVisible()
  await expect.element(dialog.getByText(/Jawaban 500.*percobaan ke-2.*dicoba lagi/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Tampilkan lebih banyak' }).click()
  await expect.element(dialog.getByText('Terkirim', { exact: true })).toBeVisible()
  await dialog
    .getByRole('button', { name: /^Kirim ulang: Hasil selesai/ })
    .nth(1)
    .click()
  await expect.poll(messages).toContain('Dikirim ulang')
  expect(api.callsTo('POST /api/user/webhooks/w-satu/deliveries/d-gagal/redeliver')).toHaveLength(1)
})

it.each([
  ['id', 'light'],
  ['en', 'dark'],
] as const)('has no accessibility violations in %s, %s', async (language, theme) => {
  localStorage.setItem('themeMode', theme)
  const url = `https://${'panjang'.repeat(8)}.contoh.test/${'x'.repeat(60)}`
  const api = {
    'GET /api/user/webhooks': {
      items: [
        webhookOf({ description: '', url, previousSecretUntil: inDays(1) }),
        webhookOf({ id: 'w-dua', disabled: 'gone' }),
      ],
    },
    'GET /api/user/webhooks/*/deliveries': {
      items: [deliveryOf(), deliveryOf({ id: 'b', state: 'failed', error: 'timeout', status: null })],
      nextCursor: null,
    },
  }
  await openProfile(api, { language })
  await button(/^(Kelola|Manage) Toko/).click()
  await expect.element(dialog.getByText(/410/)).toBeVisible()
  expect(await violations()).toEqual([])
  expect(dialog.element().scrollWidth).toBeLessThanOrEqual(innerWidth)
})
