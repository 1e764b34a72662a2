import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { ApprovalView } from '#features/approvals/schemas.ts'
import { desktop, openApp } from '#tests/support/components/open-app.tsx'
import { inDays, staff } from '#tests/support/components/samples.ts'
import { button } from '#tests/support/components/screen.ts'
import type { ApiCall } from '#tests/support/components/stub-api.ts'
import { violations } from '#tests/support/components/violations.ts'

const other = { id: 'u-rekan', name: 'Rekan' }
const buyer = { id: 'u-sari', name: 'Sari', email: 'sari@contoh.test' }

const waiting = (id: string, own: Partial<ApprovalView> = {}): ApprovalView => ({
  id,
  kind: 'credit_adjustment',
  status: 'waiting',
  amount: 900,
  unit: 'credits',
  subject: buyer.id,
  user: buyer,
  details: { days: 30 },
  reason: 'Ganti rugi acara',
  requestedBy: other,
  createdAt: inDays(-1),
  expiresAt: inDays(6),
  decidedBy: null,
  decidedAt: null,
  answer: null,
  ...own,
})

const open = (item: ApprovalView) =>
  openApp('/admin/persetujuan', {
    user: staff,
    size: desktop,
    api: {
      'GET /api/admin/approvals': ({ query }: ApiCall) => ({
        items: (query.get('status') ?? 'waiting') === item.status ? [item] : [],
        nextCursor: null,
      }),
      'POST /api/admin/approvals/*': ({ body }: ApiCall) => {
        const { accept } = body as { accept: boolean }
        Object.assign(item, { status: accept ? 'approved' : 'refused', decidedBy: staff, answer: 'Sudah dicek' })
        return item
      },
    },
  })

it('lets a second member of staff approve a request, with a reason, and moves it to the approved ones', async () => {
  const app = await open(waiting('a1'))
  await expect.element(page.getByRole('row', { name: /Sari.*900 kredit.*Ganti rugi acara/ })).toBeVisible()
  expect(await violations()).toEqual([])
  await button('Putuskan').click()
  await expect.element(page.getByText('Rekan ·', { exact: false })).toBeVisible()
  await button('Setujui').click()
  await page.getByLabelText('Alasan').fill('Sudah dicek')
  await page.getByRole('dialog', { name: 'Setujui ini?' }).getByRole('button', { name: 'Setujui' }).click()
  await expect.poll(() => app.messages()).toContain('Disetujui dan sudah dilakukan.')
  expect(app.api.callsTo('POST /api/admin/approvals/a1')).toMatchObject([
    { body: { accept: true, reason: 'Sudah dicek' } },
  ])
  await expect.element(page.getByText('Tidak ada yang menunggu persetujuan.')).toBeVisible()
  await page.getByRole('link', { name: 'Disetujui' }).click()
  await expect.element(page.getByRole('row', { name: /Sudah dicek/ })).toBeVisible()
})

it.each([
  ['the request is their own', { requestedBy: staff }, /Kamu yang memintanya/],
  ['it is about their own account', { user: staff }, /Ini akunmu sendiri/],
])('offers no decision to staff if %s', async (_reason, own, sentence) => {
  await open(waiting('a2', own))
  await button('Putuskan').click()
  await expect.element(page.getByText(sentence)).toBeVisible()
  expect(button('Setujui').all()).toEqual([])
  expect(button('Tolak').all()).toEqual([])
})
