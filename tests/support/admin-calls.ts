import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { vouchers } from '#features/billing/server/tables/catalogue.ts'
import { payments } from '#features/billing/server/tables/payments.ts'
import { reportedResults } from '#features/content-reports/server/table.ts'
import type { CustomEditView } from '#features/custom-edits/schemas.ts'
import { generationFiles, refundRequests } from '#features/generations/server/table.ts'
import type { AdminPreset, AdminPresetList } from '#features/presets/schemas.ts'
import { accountLimits } from '#server/moderation/table.ts'
import { order, voucher } from './checkout.ts'
import { locationForm, locationTexts } from './locations.ts'
import { testPassword as password } from './seed-user.ts'
import { makePicture, reached, submitted } from './submit.ts'
import type { TestApp, TestUser } from './test-app.ts'
import { upload } from './upload.ts'

const reason = 'Karena perlu'

export interface AdminSubjects {
  user: string
  order: string
  voucher: string
  payment: string
  generation: string
  file: string
  refundRequest: string
  edit: string
  attachment: string
  preset: AdminPreset
  announcement: string
  approval: string
  accountLimit: string
}

const announcement = { text: { id: 'Halo', en: 'Hello' }, path: null, startsAt: '2026-01-01', endsAt: null }

export type AdminCall = [path: string, json?: unknown]

/** A valid call of every admin route; a test fails for a route without one. */
export const adminCalls: Record<string, (subjects: AdminSubjects) => AdminCall> = {
  'GET /admin/users': () => ['/users'],
  'GET /admin/users/:id': ({ user }) => [`/users/${user}`],
  'GET /admin/users/:id/summary': ({ user }) => [`/users/${user}/summary`],
  'GET /admin/users/:id/timeline': ({ user }) => [`/users/${user}/timeline`],
  'GET /admin/orders/totals': () => ['/orders/totals'],
  'GET /admin/revenue': () => ['/revenue'],
  'GET /admin/taxes': () => ['/taxes'],
  'GET /admin/efaktur': () => ['/efaktur?part=1'],
  'GET /admin/run_costs': () => ['/run_costs'],
  'PATCH /admin/users/:id': ({ user }) => [`/users/${user}`, { role: 'admin', reason }],
  'POST /admin/users/:id/reset_factors': ({ user }) => [`/users/${user}/reset_factors`, { reason, password }],
  'POST /admin/users/:id/end_sessions': ({ user }) => [`/users/${user}/end_sessions`, { reason, password }],
  'PUT /admin/users/:id/note': ({ user }) => [`/users/${user}/note`, { note: 'Ramah', tags: ['studio'] }],
  'POST /admin/users/:id/ask_age': ({ user }) => [`/users/${user}/ask_age`, { reason }],
  'POST /admin/users/:id/mails': ({ user }) => [`/users/${user}/mails`, { template: 'reset_password', reason }],
  'GET /admin/audit': () => ['/audit'],
  'GET /admin/security_events': () => ['/security_events'],
  'GET /admin/jobs': () => ['/jobs'],
  'GET /admin/dashboard': () => ['/dashboard'],
  'GET /admin/funnel': () => ['/funnel'],
  'GET /admin/notices': () => ['/notices'],
  'PUT /admin/notices': () => ['/notices', { mode: 'daily' }],
  'GET /admin/tool_prices': () => ['/tool_prices'],
  'PUT /admin/tool_prices/:tool': () => ['/tool_prices/background-removal', { unit: 1 }],
  'POST /admin/credit_adjustments': ({ user }) => ['/credit_adjustments', { userId: user, amount: 100, reason }],
  'GET /admin/orders': () => ['/orders'],
  'GET /admin/orders/:id': ({ order: id }) => [`/orders/${id}`],
  'PUT /admin/orders/:id/assignee': ({ order: id }) => [`/orders/${id}/assignee`, { assignee: null }],
  'GET /admin/colleagues': () => ['/colleagues?work=order'],
  'GET /admin/orders/:id/proof': ({ order: id }) => [`/orders/${id}/proof`],
  'POST /admin/orders/confirm': ({ order: id }) => ['/orders/confirm', { orders: [{ id, status: 1 }], reason }],
  'POST /admin/orders/:id/confirm': ({ order: id }) => [`/orders/${id}/confirm`, { reason }],
  'POST /admin/orders/:id/cancel': ({ order: id }) => [`/orders/${id}/cancel`, { reason }],
  'POST /admin/orders/:id/refunds': ({ order: id }) => [
    `/orders/${id}/refunds`,
    { amountIdr: 1, reference: 'TRX', reason },
  ],
  'POST /admin/payments/:id/settle': ({ payment }) => [`/payments/${payment}/settle`, { reason }],
  'POST /admin/vouchers': () => ['/vouchers', { code: `X${randomUUID().slice(0, 6)}`, kind: 'free_credits', value: 1 }],
  'GET /admin/vouchers': () => ['/vouchers'],
  'PATCH /admin/vouchers/:id': ({ voucher: id }) => [`/vouchers/${id}`, { active: false }],
  'GET /admin/ledger': ({ user }) => [`/ledger?userId=${user}`],
  'GET /admin/ledger/totals': () => ['/ledger/totals'],
  'GET /admin/mail_templates': () => ['/mail_templates?language=id'],
  'GET /admin/mail_templates/:template': () => ['/mail_templates/receipt?language=id'],
  'PUT /admin/mail_templates/:template': () => ['/mail_templates/receipt', { language: 'id', version: 0, texts: null }],
  'POST /admin/mail_templates/:template/test': () => ['/mail_templates/receipt/test', { language: 'en' }],
  'GET /admin/announcements': () => ['/announcements'],
  'POST /admin/announcements': () => ['/announcements', announcement],
  'PUT /admin/announcements/:id': ({ announcement: id }) => [`/announcements/${id}`, announcement],
  'GET /admin/packages': () => ['/packages'],
  'PUT /admin/packages/:id': () => ['/packages/basic', { name: 'BASIC', cents: 1, credits: 1, days: 1, position: 1 }],
  'PUT /admin/idr_rate': () => ['/idr_rate', { idrPerUsd: 1 }],
  'GET /admin/billing_differences': () => ['/billing_differences'],
  'POST /admin/billing_differences/settle': () => ['/billing_differences/settle', { what: 'unknown_payment', reason }],
  'GET /admin/approvals': () => ['/approvals'],
  'POST /admin/approvals/:id': ({ approval }) => [`/approvals/${approval}`, { accept: true, reason }],
  'GET /admin/claims': () => ['/claims'],
  'PUT /admin/claims/:id/assignee': ({ refundRequest }) => [`/claims/${refundRequest}/assignee`, { assignee: null }],
  'POST /admin/claims/:id': ({ refundRequest }) => [
    `/claims/${refundRequest}`,
    { accept: true, reason: 'Sudah dilihat' },
  ],
  'GET /admin/claims/:id/files/:file': ({ refundRequest, file }) => [`/claims/${refundRequest}/files/${file}`],
  'GET /admin/content_reports': () => ['/content_reports'],
  'GET /admin/content_reports/counts': () => ['/content_reports/counts'],
  'POST /admin/content_reports/:id/picture': ({ generation }) => [
    `/content_reports/${generation}/picture`,
    { position: 0, reason },
  ],
  'POST /admin/content_reports/:id': ({ generation }) => [
    `/content_reports/${generation}`,
    { decision: 'kept', reason },
  ],
  'GET /admin/account_limits': () => ['/account_limits'],
  'POST /admin/account_limits/:id/end': ({ accountLimit }) => [`/account_limits/${accountLimit}/end`, { reason }],
  'GET /admin/error_reports': () => ['/error_reports'],
  'GET /admin/health': () => ['/health'],
  'GET /admin/tools': () => ['/tools'],
  'POST /admin/providers/test': () => ['/providers/test?provider=unknown&task=edit', {}],
  'POST /admin/tools/:tool/compare': () => ['/tools/nothing/compare?provider=local', {}],
  'GET /admin/models': () => ['/models'],
  'POST /admin/models/:name': () => ['/models/esrgan', { accepted: true }],
  'DELETE /admin/models/:name': () => ['/models/esrgan'],
  'PATCH /admin/tools/:tool': () => ['/tools/background-removal', { enabled: false }],
  'GET /admin/tools/:tool/failures': () => ['/tools/background-removal/failures'],
  'GET /admin/providers': () => ['/providers'],
  'GET /admin/provider_settings': () => ['/provider_settings'],
  'PUT /admin/provider_settings/:provider': () => [
    '/provider_settings/fal',
    { version: 0, enabled: false, budgetDay: null, budgetMonth: null, models: [] },
  ],
  'GET /admin/tasks': () => ['/tasks'],
  'PUT /admin/tasks/:task': () => ['/tasks/subjectMatte', { version: 0, tool: null, providers: null }],
  'POST /admin/generations/:id/run_again': ({ generation }) => [`/generations/${generation}/run_again`, {}],
  'GET /admin/passport_presets': () => ['/passport_presets'],
  'PUT /admin/passport_presets/:id': ({ preset: { id, history: _, ...preset } }) => [`/passport_presets/${id}`, preset],
  'GET /admin/locations': () => ['/locations'],
  'POST /admin/locations': () => ['/locations', locationForm({ name: { id: 'Pantai', en: 'Beach' } })],
  'PUT /admin/locations/:id': () => ['/locations/added-nowhere', { ...locationTexts, active: true, version: 1 }],
  'DELETE /admin/locations/:id': () => ['/locations/added-nowhere'],
  'GET /admin/custom_edits': () => ['/custom_edits'],
  'GET /admin/custom_edits/counts': () => ['/custom_edits/counts'],
  'GET /admin/custom_edits/:id': ({ edit }) => [`/custom_edits/${edit}`],
  'GET /admin/custom_edits/:id/files/:file': ({ edit, attachment }) => [`/custom_edits/${edit}/files/${attachment}`],
  'GET /admin/custom_edits/:id/originals': ({ edit }) => [`/custom_edits/${edit}/originals`],
  'POST /admin/custom_edits/:id/take': ({ edit }) => [`/custom_edits/${edit}/take`, {}],
  'POST /admin/custom_edits/:id/return': ({ edit }) => [`/custom_edits/${edit}/return`, {}],
  'POST /admin/custom_edits/:id/notes': ({ edit }) => [`/custom_edits/${edit}/notes`, { text: 'Catatan' }],
  'POST /admin/custom_edits/:id/results': ({ edit }) => [
    `/custom_edits/${edit}/results`,
    { files: [{ upload: randomUUID() }] },
  ],
  'DELETE /admin/custom_edits/:id/results/:file': ({ edit, attachment }) => [
    `/custom_edits/${edit}/results/${attachment}`,
  ],
  'POST /admin/custom_edits/:id/done': ({ edit }) => [`/custom_edits/${edit}/done`, {}],
  'POST /admin/custom_edits/:id/decline': ({ edit }) => [`/custom_edits/${edit}/decline`, { reason }],
}

/** Creates the records that the calls name. */
export async function makeAdminSubjects(app: TestApp, owner: TestUser, admin: TestUser): Promise<AdminSubjects> {
  const { db } = app.deps
  const now = app.clock.now()
  const { body } = await order(owner, { packageId: 'starter', method: 'bca' })
  const code = await voucher(app, { kind: 'free_credits', value: 5 })
  const [made] = await db.select().from(vouchers).where(eq(vouchers.code, code))
  const payment = randomUUID()
  const wrong = { problem: 'wrong_amount', amount: 1, currency: 'IDR', driver: 'simulator' } as const
  await db.insert(payments).values({ ...wrong, id: payment, orderId: body.id, paymentId: payment, receivedAt: now })
  const { id: generation } = await submitted(owner)
  await reached(owner, generation)
  const request = { generationId: generation, userId: owner.id, reason: 'Kasar', status: 'waiting' as const }
  await db.insert(refundRequests).values({ ...request, createdAt: now })
  await db.insert(reportedResults).values({ generationId: generation, userId: owner.id, createdAt: now })
  const [file] = await db
    .select()
    .from(generationFiles)
    .where(and(eq(generationFiles.generationId, generation), eq(generationFiles.role, 'input')))
  const attachments = [{ upload: (await upload(owner, await makePicture())).id }]
  const wish = { title: 'Foto', whatsapp: '081234567890', email: 'sari@contoh.test', description: 'Cerahkan' }
  const headers = { 'idempotency-key': randomUUID() }
  const asked = await owner.request('/api/custom_edits', { json: { ...wish, attachments }, headers })
  const edit = (await asked.json()) as CustomEditView
  const announced = await admin.request('/api/admin/announcements', { json: announcement })
  const { id: announcementId } = (await announced.json()) as { id: string }
  const presets = (await (await admin.request('/api/admin/passport_presets')).json()) as AdminPresetList
  // Last: a limited account sends nothing more.
  const accountLimit = randomUUID()
  await db.insert(accountLimits).values({
    id: accountLimit,
    userId: owner.id,
    until: new Date(now.getTime() + 86_400_000),
    createdAt: now,
  })
  return {
    user: owner.id,
    order: body.id,
    voucher: made?.id ?? '',
    payment,
    generation,
    refundRequest: generation,
    file: file?.id ?? '',
    edit: edit.id,
    attachment: edit.attachments[0]?.id ?? '',
    preset: presets.items[0] as AdminPreset,
    announcement: announcementId,
    approval: randomUUID(),
    accountLimit,
  }
}

/** Returns the status and the error's code. */
export async function callAdminRoute(
  app: TestApp,
  route: string,
  subjects: AdminSubjects,
  token: string | undefined,
  key = 'replayed',
): Promise<[number, string | undefined]> {
  const [path, json] = (adminCalls[route] as (subjects: AdminSubjects) => AdminCall)(subjects)
  const [method = 'GET'] = route.split(' ')
  const body = json instanceof FormData ? { body: json } : { json }
  const response = await app.request(`/api/admin${path}`, {
    method,
    ...body,
    headers: { 'idempotency-key': key },
    token,
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!isJson) return [response.status, undefined]
  // A call about several orders has an outcome for each.
  const { code, items } = (await response.json()) as { code?: string; items?: { code?: string | null }[] }
  return [response.status, code ?? items?.[0]?.code ?? undefined]
}
