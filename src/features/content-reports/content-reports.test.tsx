import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { ReportedResult } from '#features/content-reports/schemas.ts'
import { desktop, openApp, phone } from '#tests/support/components/open-app.tsx'
import { inDays, pictureAddress, pictureFile, staff } from '#tests/support/components/samples.ts'
import { button } from '#tests/support/components/screen.ts'
import type { ApiCall } from '#tests/support/components/stub-api.ts'
import { violations } from '#tests/support/components/violations.ts'

const token = 'x'.repeat(44)

it('lets a guest report a shared picture with a reason, and thanks for it', async () => {
  const result = { url: pictureAddress(400), contentType: 'image/png', width: 64, height: 64 }
  const app = await openApp(`/shared/${token}`, {
    size: phone,
    api: {
      'POST /api/shared_results/*/open': {
        tool: 'swap-face',
        result,
        original: null,
        place: null,
        expiresAt: inDays(3),
      },
      [`POST /api/shared_results/${token}/reports`]: undefined,
    },
  })
  await button('Laporkan hasil ini').click()
  const sheet = page.getByRole('dialog', { name: 'Laporkan hasil ini' })
  await sheet.getByRole('button', { name: 'Kirim laporan' }).click()
  await expect.element(sheet.getByText('Pilih alasannya dulu, ya.')).toBeVisible()
  await sheet.getByLabelText('Fotoku atau wajahku dipakai tanpa izin').click()
  await sheet.getByLabelText('Ceritakan (boleh dikosongkan)').fill('Itu aku')
  expect(await violations()).toEqual([])
  await sheet.getByRole('button', { name: 'Kirim laporan' }).click()
  await expect.poll(() => app.messages()).toContain('Terima kasih, laporanmu kami terima')
  expect(app.api.callsTo(`POST /api/shared_results/${token}/reports`)).toMatchObject([
    { body: { category: 'without_consent', note: 'Itu aku' } },
  ])
})

it('shows staff numbers and notes, a picture only for a reason, and takes their decision', async () => {
  const item: ReportedResult = {
    id: 'g-1',
    user: { id: 'u-sari', name: 'Sari', email: 'sari@contoh.test', role: 'user', duty: null },
    tool: 'swap-face',
    status: 'waiting',
    reports: [
      {
        category: 'without_consent',
        note: 'Itu wajahku',
        position: 0,
        own: false,
        guest: true,
        createdAt: inDays(-1),
      },
    ],
    reportCount: 2,
    links: 1,
    hasPicture: true,
    refusals: 3,
    limitedUntil: null,
    answer: null,
    decidedBy: null,
    createdAt: inDays(-1),
  }
  const app = await openApp('/admin/laporan', {
    user: staff,
    size: desktop,
    api: {
      'GET /api/admin/content_reports': ({ query }: ApiCall) => ({
        items: (query.get('status') ?? 'waiting') === item.status ? [item] : [],
        nextCursor: null,
      }),
      'GET /api/admin/content_reports/counts': {
        reports: 7,
        waiting: 1,
        kept: 3,
        withdrawn: 2,
        limited: 1,
        limitedAccounts: 1,
        refusals: [{ tool: 'background-diffusion', kind: 'words', count: 4 }],
      },
      'POST /api/admin/content_reports/g-1/picture': async () => new Response(await pictureFile(64, 64)),
      'POST /api/admin/content_reports/g-1': () => {
        item.status = 'withdrawn'
      },
    },
  })
  await expect.element(page.getByRole('row', { name: /Sari.*Tanpa izin.*2.*3/ })).toBeVisible()
  await expect.element(page.getByText('Latar Baru (kata-kata) 4')).toBeVisible()
  expect(await violations()).toEqual([])
  await button('Putuskan').click()
  const dialog = page.getByRole('dialog', { name: 'Gambar dari Sari' })
  await expect.element(dialog.getByText('Itu wajahku')).toBeVisible()
  await dialog.getByRole('button', { name: 'Buka gambar' }).click()
  await expect.element(dialog.getByText('Bagian ini wajib diisi')).toBeVisible()
  expect(app.api.callsTo('POST /api/admin/content_reports/g-1/picture')).toEqual([])
  await dialog.getByLabelText('Alasan membuka gambarnya').fill('Laporan wajah')
  await dialog.getByRole('button', { name: 'Buka gambar' }).click()
  await expect.element(dialog.getByRole('img', { name: 'Hasil' })).toBeVisible()
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Cabut tautan' }).click()
  await page.getByLabelText('Alasan', { exact: true }).fill('Wajah orang lain')
  await page
    .getByRole('dialog', { name: 'Cabut semua tautannya?' })
    .getByRole('button', { name: 'Cabut tautan' })
    .click()
  await expect.poll(() => app.messages()).toContain('Tautannya sudah dicabut.')
  expect(app.api.callsTo('POST /api/admin/content_reports/g-1')).toMatchObject([
    { body: { decision: 'withdrawn', reason: 'Wajah orang lain' } },
  ])
  await expect.element(page.getByText('Tidak ada laporan yang menunggu.')).toBeVisible()
})
