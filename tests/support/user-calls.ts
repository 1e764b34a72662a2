import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { testPassword as password } from './seed-user.ts'
import { formOf, makePicture } from './submit.ts'

export interface UserSubjects {
  email: string
  order: string
  generation: string
  edit: string
  look: string
  link: string
  session: string
}

export interface UserCall {
  path: string
  json?: object
  body?: FormData
  headers?: Record<string, string>
  isLast?: true
  /** Otherwise the call has to succeed. */
  status?: number
  /** The response never ends. */
  isStream?: true
}

/** At a push service that accepts nothing. */
export function pushSubscription() {
  const device = createECDH('prime256v1')
  device.generateKeys()
  const keys = { p256dh: device.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  return { endpoint: `https://web.push.apple.com/${randomUUID()}`, keys }
}
const wish = { title: 'Foto', whatsapp: '081234567890', email: 'sari@contoh.test', description: 'Cerahkan' }
const newKey = () => ({ 'idempotency-key': randomUUID() })
const tus = { 'tus-resumable': '1.0.0' }
const credential = { id: 'a', rawId: 'a', type: 'public-key', clientExtensionResults: {} }
const signed = { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' }
const made = { clientDataJSON: 'a', attestationObject: 'a' }
const tool = 'background-removal'

const noWebhook = (action = '') => ({
  path: `/user/webhooks/${randomUUID()}/${action}`.replace(/\/$/, ''),
  status: 404,
})

/** A valid call of every route for visitors and users; a test fails for a route without one. */
export const userCalls: Record<string, (subjects: UserSubjects) => UserCall | Promise<UserCall>> = {
  'POST /register': () => {
    const json = { name: 'Ani', email: `${randomUUID().slice(0, 8)}@contoh.id`, password, agreeToTerms: true }
    return { path: '/register', json }
  },
  'GET /user/age': () => ({ path: '/user/age' }),
  'POST /user/age': () => ({ path: '/user/age', json: { birthYear: 1990 } }),
  'POST /user/guardian': () => ({ path: '/user/guardian', json: { email: 'ibu@contoh.id' }, status: 409 }),
  'GET /guardian_consents/:token': () => ({ path: '/guardian_consents/x', status: 422 }),
  'POST /guardian_consents/:token': () => ({
    path: '/guardian_consents/x',
    json: { decision: 'refuse' },
    status: 422,
  }),
  'POST /guardian_consents/:token/resend': () => ({ path: '/guardian_consents/x/resend', json: {}, status: 422 }),
  'GET /verify_email/:token': () => ({ path: '/verify_email/x', status: 422 }),
  'POST /verify_email': () => ({ path: '/verify_email', json: { code: '123456' }, status: 403 }),
  'GET /resend_confirmation_email': ({ email }) => ({ path: `/resend_confirmation_email?email=${email}` }),
  'POST /login': ({ email }) => ({ path: '/login', json: { email, password } }),
  'POST /login_code': () => ({ path: '/login_code', json: { challenge: 'x', code: '123456' }, status: 401 }),
  'POST /login_token': () => ({ path: '/login_token', json: { token: 'x' }, status: 422 }),
  'POST /login_verified': () => ({ path: '/login_verified', json: {}, status: 422 }),
  'POST /passkey_options': () => ({ path: '/passkey_options', json: {} }),
  'POST /login_passkey': () => {
    return { path: '/login_passkey', json: { response: { ...credential, response: signed } }, status: 422 }
  },
  'POST /logout': () => ({ path: '/logout', json: {}, isLast: true }),
  'POST /forgot_password': ({ email }) => ({ path: '/forgot_password', json: { email } }),
  'GET /reset_password/:token': () => ({ path: '/reset_password/x' }),
  'POST /keep_factors': () => ({ path: '/keep_factors', json: { token: 'x' }, status: 422 }),
  'POST /reset_password/:token': () => ({ path: '/reset_password/x', json: { password: 'Baru12345!x' }, status: 422 }),
  'GET /auth/providers': () => ({ path: '/auth/providers' }),
  'GET /login_google': () => ({ path: '/login_google', status: 404 }),
  'GET /login_google/callback': () => ({ path: '/login_google/callback', status: 404 }),
  'GET /login_facebook': () => ({ path: '/login_facebook', status: 404 }),
  'GET /login_facebook/callback': () => ({ path: '/login_facebook/callback', status: 404 }),
  'GET /user/me': () => ({ path: '/user/me' }),
  'PATCH /user/me': () => {
    return { path: '/user/me', json: { name: 'Ani', theme: { mode: 'dark', primary: 'teal', neutral: 'slate' } } }
  },
  'POST /user/password': () => {
    return { path: '/user/password', json: { currentPassword: password, password: 'Baru12345!x' }, isLast: true }
  },
  'POST /user/email': () => {
    return { path: '/user/email', json: { email: `${randomUUID().slice(0, 8)}@contoh.id`, password }, isLast: true }
  },
  'GET /confirm_email/:token': () => ({ path: '/confirm_email/x', status: 422 }),
  'GET /user/sessions': () => ({ path: '/user/sessions' }),
  'POST /user/sessions/:id/end': ({ session }) => ({ path: `/user/sessions/${session}/end`, json: { password } }),
  'POST /user/sessions/end_others': () => ({ path: '/user/sessions/end_others', json: { password }, isLast: true }),
  'GET /user/api_keys': () => ({ path: '/user/api_keys' }),
  'POST /user/api_keys': () => {
    const json = { name: 'Toko', mode: 'test', scopes: ['read'], dailyCredits: null, days: null, password }
    return { path: '/user/api_keys', json }
  },
  'DELETE /user/api_keys/:id': () => ({ path: `/user/api_keys/${randomUUID()}`, status: 404 }),
  'GET /user/webhooks': () => ({ path: '/user/webhooks' }),
  'POST /user/webhooks': () => {
    const json = { url: 'https://203.0.113.1/', description: 'Toko', events: ['generation.succeeded'], password }
    return { path: '/user/webhooks', json, status: 422 }
  },
  'PATCH /user/webhooks/:id': () => ({ ...noWebhook(), json: { enabled: false } }),
  'DELETE /user/webhooks/:id': () => noWebhook(),
  'POST /user/webhooks/:id/rotate': () => ({ ...noWebhook('rotate'), json: { password } }),
  'POST /user/webhooks/:id/ping': () => ({ ...noWebhook('ping'), json: {} }),
  'GET /user/webhooks/:id/deliveries': () => noWebhook('deliveries'),
  'POST /user/webhooks/:id/deliveries/:delivery/redeliver': () => ({
    ...noWebhook(`deliveries/${randomUUID()}/redeliver`),
    json: {},
  }),
  'GET /user/consents': () => ({ path: '/user/consents' }),
  'POST /user/consents': () => ({ path: '/user/consents', json: { kind: 'remote', version: 'x' }, status: 409 }),
  'DELETE /user/consents': () => ({ path: '/user/consents?kind=remote' }),
  'POST /user/export': () => ({ path: '/user/export', json: {} }),
  'POST /user/delete': () => ({ path: '/user/delete', json: { password }, isLast: true }),
  'GET /user/second_factor': () => ({ path: '/user/second_factor' }),
  'POST /user/second_factor/link': () => ({ path: '/user/second_factor/link', json: { password } }),
  'POST /user/second_factor/open': () => ({ path: '/user/second_factor/open', json: { token: 'x' }, status: 422 }),
  'POST /user/totp': () => ({ path: '/user/totp', json: { password }, status: 403 }),
  'POST /user/totp/confirm': () => ({ path: '/user/totp/confirm', json: { code: '123456' }, status: 403 }),
  'POST /user/totp/off': () => ({ path: '/user/totp/off', json: { password }, status: 409 }),
  'POST /user/recovery_codes': () => ({ path: '/user/recovery_codes', json: { password }, status: 409 }),
  'POST /user/passkeys/options': () => ({ path: '/user/passkeys/options', json: { password }, status: 403 }),
  'POST /user/passkeys': () => {
    return { path: '/user/passkeys', json: { response: { ...credential, response: made } }, status: 422 }
  },
  'POST /user/passkeys/:id/remove': () => ({ path: '/user/passkeys/x/remove', json: { password }, status: 404 }),
  'GET /user/myCredit': () => ({ path: '/user/myCredit' }),
  'GET /packages': () => ({ path: '/packages' }),
  'GET /payment_methods': () => ({ path: '/payment_methods' }),
  'POST /vouchers/verify': () => ({ path: '/vouchers/verify', json: { code: 'NONE' }, status: 422 }),
  'POST /orders': () => {
    const json = { acceptPrivacy: true, acceptTerms: true, packageId: 'basic', method: 'bca' }
    return { path: '/orders', json, headers: newKey() }
  },
  'GET /orders': () => ({ path: '/orders' }),
  'GET /orders/:id': ({ order }) => ({ path: `/orders/${order}` }),
  'PUT /orders/:id/invoice': ({ order }) => ({ path: `/orders/${order}/invoice`, json: { buyer: null } }),
  'POST /orders/:id/check': ({ order }) => ({ path: `/orders/${order}/check`, json: {} }),
  'POST /orders/:id/report_transfer': async ({ order }) => {
    const body = new FormData()
    body.append('proof', new Blob([await makePicture()]), 'bukti.png')
    return { path: `/orders/${order}/report_transfer`, body, status: 409 }
  },
  'POST /orders/:id/pay_again': ({ order }) => {
    return { path: `/orders/${order}/pay_again`, json: { method: 'bni' }, headers: newKey() }
  },
  'GET /orders/:id/receipt.pdf': ({ order }) => ({ path: `/orders/${order}/receipt.pdf`, status: 409 }),
  'POST /orders/:id/cancel': ({ order }) => ({ path: `/orders/${order}/cancel`, json: {} }),
  'GET /user/ledger': () => ({ path: '/user/ledger' }),
  'POST /webhooks/xendit': () => ({ path: '/webhooks/xendit', json: {}, status: 404 }),
  'GET /simulator/:session': () => ({ path: '/simulator/x', status: 404 }),
  'POST /simulator/:session/:action': () => ({ path: '/simulator/x/pay', json: {}, status: 404 }),
  'POST /uploads': () => ({ path: '/uploads', headers: { ...tus, 'upload-length': '3', 'content-length': '0' } }),
  'OPTIONS /uploads': () => ({ path: '/uploads', headers: tus }),
  'GET /uploads/:id': () => ({ path: `/uploads/${randomUUID()}`, status: 404 }),
  'PATCH /uploads/:id': () => {
    const headers = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    return { path: `/uploads/${randomUUID()}`, headers, status: 404 }
  },
  'DELETE /uploads/:id': () => ({ path: `/uploads/${randomUUID()}`, headers: tus, status: 404 }),
  'POST /generations': async () => ({ path: '/generations', body: await formOf(), headers: newKey() }),
  'GET /generations': () => ({ path: '/generations' }),
  'GET /generations/:id': ({ generation }) => ({ path: `/generations/${generation}` }),
  'POST /generations/:id/cancel': ({ generation }) => {
    return { path: `/generations/${generation}/cancel`, json: {}, status: 409 }
  },
  'POST /generations/:id/claim': ({ generation }) => {
    return { path: `/generations/${generation}/claim`, json: { reason: 'Kasar' }, status: 409 }
  },
  'POST /generations/:id/render': ({ generation }) => {
    return { path: `/generations/${generation}/render`, json: { params: { format: 'png' }, inputs: {} } }
  },
  'POST /webhooks/providers/:provider/:reference': () => {
    return { path: '/webhooks/providers/fal/x', json: {}, status: 404 }
  },
  'GET /tools': () => ({ path: '/tools' }),
  'POST /tools/:tool/params': () => ({ path: `/tools/${tool}/params`, json: {} }),
  'POST /tools/:tool/check': () => ({ path: `/tools/${tool}/check`, json: { inputs: {} }, status: 422 }),
  'POST /tools/:tool/preview': () => ({ path: `/tools/${tool}/preview`, json: {}, status: 415 }),
  'POST /select': () => {
    return { path: '/select', json: { picture: 'x', points: [{ x: 0, y: 0, keep: true }] }, status: 422 }
  },
  'GET /files/:id/:name': () => ({ path: `/files/${randomUUID()}/x.png`, status: 403 }),
  'GET /events': () => ({ path: '/events', isStream: true }),
  'POST /custom_edits': () => ({ path: '/custom_edits', json: wish, headers: newKey() }),
  'GET /custom_edits': () => ({ path: '/custom_edits' }),
  'POST /custom_edits/:id/messages': ({ edit }) => ({ path: `/custom_edits/${edit}/messages`, json: { text: 'Halo' } }),
  'POST /custom_edits/:id/reopen': ({ edit }) => {
    return { path: `/custom_edits/${edit}/reopen`, json: { text: 'Halo' }, status: 409 }
  },
  'POST /custom_edits/:id/rating': ({ edit }) => {
    return { path: `/custom_edits/${edit}/rating`, json: { stars: 5, comment: 'Bagus' }, status: 409 }
  },
  'POST /custom_edits/:id/cancel': ({ edit }) => ({ path: `/custom_edits/${edit}/cancel`, json: {} }),
  'GET /custom_edit_files/:id/:name': () => ({ path: `/custom_edit_files/${randomUUID()}/x`, status: 403 }),
  'GET /custom_edit_results/:id/:proof': () => ({ path: `/custom_edit_results/${randomUUID()}/x`, status: 403 }),
  'GET /passport_presets': () => ({ path: '/passport_presets' }),
  'GET /locations': () => ({ path: '/locations' }),
  'GET /locations/:version/picture': () => ({ path: '/locations/999999/picture', status: 404 }),
  'GET /user/looks': () => ({ path: '/user/looks' }),
  'PUT /user/looks': () => ({ path: '/user/looks', json: { tool, name: randomUUID().slice(0, 8), params: {} } }),
  'PATCH /user/looks/:id': ({ look }) => {
    return { path: `/user/looks/${look}`, json: { name: randomUUID().slice(0, 8) } }
  },
  'DELETE /user/looks/:id': ({ look }) => ({ path: `/user/looks/${look}` }),
  'GET /user/logo': () => ({ path: '/user/logo' }),
  'PUT /user/logo': async () => {
    const picture = `data:image/png;base64,${Buffer.from(await makePicture()).toString('base64')}`
    return { path: '/user/logo', json: { picture } }
  },
  'DELETE /user/logo': () => ({ path: '/user/logo' }),
  'GET /mail_previews/:template/:language': () => ({ path: '/mail_previews/receipt/id', status: 403 }),
  'POST /visits': () => ({ path: '/visits', json: { first: true }, headers: { 'user-agent': 'Mozilla/5.0' } }),
  'GET /user/push': () => ({ path: '/user/push' }),
  'PUT /user/push': () => ({ path: '/user/push', json: { muted: [] } }),
  'PUT /user/push/device': () => ({ path: '/user/push/device', json: pushSubscription() }),
  'DELETE /user/push/device': () => ({ path: '/user/push/device' }),
  'GET /user/shared_results': () => ({ path: '/user/shared_results' }),
  'POST /user/shared_results': ({ generation: generationId }) => {
    const json = { generationId, position: 0, days: 1, withOriginal: false, password: null }
    return { path: '/user/shared_results', json }
  },
  'POST /user/reports': ({ generation: generationId }) => {
    return { path: '/user/reports', json: { generationId, position: 0, category: 'other', note: 'Aneh' } }
  },
  'DELETE /user/shared_results/:id': ({ link }) => ({ path: `/user/shared_results/${link}` }),
  'DELETE /generations/:id': ({ generation }) => ({ path: `/generations/${generation}` }),
  'POST /shared_results/:token/open': () => ({ path: '/shared_results/x/open', json: { password: null }, status: 404 }),
  'GET /shared_results/:token/:picture': () => ({ path: '/shared_results/x/y', status: 404 }),
  'POST /shared_results/:token/reports': () => {
    return { path: '/shared_results/x/reports', json: { category: 'other', note: 'Ini aku' }, status: 404 }
  },
  'GET /site': () => ({ path: '/site' }),
  'GET /version': () => ({ path: '/version' }),
  'GET /announcements': () => ({ path: '/announcements' }),
  'POST /error_reports': () => ({ path: '/error_reports', json: { part: 'page', message: 'x', place: 'y' } }),
  'GET /openapi.json': () => ({ path: '/openapi.json' }),
  'GET /reference': () => ({ path: '/reference' }),
  'GET /reference/:file': () => ({ path: '/reference/start.js' }),
}
