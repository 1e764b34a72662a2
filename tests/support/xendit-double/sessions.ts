import { randomUUID } from 'node:crypto'
import {
  type Action,
  type Call,
  channel,
  createOnce,
  type Gateway,
  isAddress,
  isMoment,
  isText,
  type Reply,
  wrongFields,
} from './gateway.ts'

export interface DoubleSession {
  payment_session_id: string
  reference_id: string
  status: 'ACTIVE' | 'PENDING' | 'COMPLETED' | 'EXPIRED' | 'CANCELED'
  amount: number
  currency: string
  payment_link_url: string
  expires_at: string
  payment_request_id: string | null
  payment_id: string | null
  allowed_payment_channels: string[]
  actions?: Action[]
}

export function createSessions(gateway: Gateway) {
  const sessions = new Map<string, DoubleSession>()
  const create = createOnce(gateway, wrongSessionFields, (body) => {
    const made: DoubleSession = {
      payment_session_id: `ps-${randomUUID()}`,
      reference_id: body.reference_id as string,
      status: 'ACTIVE',
      amount: body.amount as number,
      currency: body.currency as string,
      payment_link_url: `https://checkout.example.com/sessions/${randomUUID()}`,
      expires_at: body.expires_at as string,
      payment_request_id: null,
      payment_id: null,
      allowed_payment_channels: body.allowed_payment_channels as string[],
      ...(gateway.now.presents.length > 0 && { actions: gateway.now.presents }),
    }
    sessions.set(made.payment_session_id, made)
    return made
  })

  function handle(call: Call): Reply {
    const [, id, action] = call.segments
    if (call.method === 'POST' && id === undefined) return create(call)
    const session = sessions.get(id ?? '')
    if (!session) return [404, { error_code: 'DATA_NOT_FOUND', message: 'session not found' }]
    if (call.method === 'GET') return [200, session]
    if (call.method === 'POST' && action === 'cancel') {
      if (session.status !== 'ACTIVE') return [400, { error_code: 'SESSION_NOT_ACTIVE', message: session.status }]
      session.status = 'CANCELED'
      return [200, session]
    }
    return [405, { error_code: 'METHOD_NOT_ALLOWED', message: call.method }]
  }

  return { sessions, handle }
}

function wrongSessionFields(body: Record<string, unknown>): string[] {
  const customer = (body.customer ?? {}) as Record<string, unknown>
  const detail = (customer.individual_detail ?? {}) as Record<string, unknown>
  const items = Array.isArray(body.items) ? (body.items as Record<string, unknown>[]) : []
  const allowed = Array.isArray(body.allowed_payment_channels) ? body.allowed_payment_channels : []
  const sum = items.reduce((total, item) => total + Number(item.net_unit_amount) * Number(item.quantity), 0)
  const categorized = items.every(({ category }) => isText(category))
  return wrongFields((must) => {
    must('reference_id', isText(body.reference_id, 64))
    must('session_type', body.session_type === 'PAY')
    must('mode', body.mode === 'PAYMENT_LINK')
    must('amount', Number.isInteger(body.amount) && (body.amount as number) > 0)
    must('currency', body.currency === 'IDR')
    must('country', body.country === 'ID')
    must('allowed_payment_channels', allowed.length > 0 && allowed.every((name) => channel.test(String(name))))
    must('expires_at', isMoment(body.expires_at))
    must('locale', body.locale === 'id' || body.locale === 'en')
    must('description', isText(body.description, 1000))
    must('customer.reference_id', isText(customer.reference_id))
    must('customer.type', customer.type === 'INDIVIDUAL')
    must('customer.email', typeof customer.email === 'string' && customer.email.includes('@'))
    must('customer.individual_detail.given_names', isText(detail.given_names))
    must('success_return_url', isAddress(body.success_return_url))
    must('cancel_return_url', isAddress(body.cancel_return_url))
    const { mobile_number } = customer
    must('customer.mobile_number', mobile_number === undefined || /^\+62\d{8,13}$/.test(String(mobile_number)))
    must('items', items.length > 0 && sum === body.amount)
    must('items.category', categorized)
  })
}
