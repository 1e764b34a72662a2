import { randomUUID } from 'node:crypto'
import {
  type Action,
  type Call,
  channel,
  createOnce,
  type Gateway,
  isMoment,
  isText,
  type Reply,
  virtualAccount,
  wrongFields,
} from './gateway.ts'

const version = '2024-11-11'

export interface DoublePaymentRequest {
  payment_request_id: string
  reference_id: string
  type: 'PAY'
  country: string
  currency: string
  request_amount: number
  channel_code: string
  status: 'ACCEPTING_PAYMENTS' | 'REQUIRES_ACTION' | 'AUTHORIZED' | 'SUCCEEDED' | 'EXPIRED' | 'CANCELED' | 'FAILED'
  latest_payment_id: string | null
  actions: Action[]
}

export interface DoublePayment {
  payment_id: string
  payment_request_id: string
  reference_id: string
  status: 'SUCCEEDED'
  currency: string
  request_amount: number
  captures: { capture_id: string; capture_amount: number }[]
}

export function createPaymentRequests(gateway: Gateway) {
  const requests = new Map<string, DoublePaymentRequest>()
  const payments = new Map<string, DoublePayment>()
  const create = createOnce(gateway, wrongRequestFields, (body) => {
    const code = body.channel_code as string
    const made: DoublePaymentRequest = {
      payment_request_id: `pr-${randomUUID()}`,
      reference_id: body.reference_id as string,
      type: 'PAY',
      country: 'ID',
      currency: body.currency as string,
      request_amount: body.request_amount as number,
      channel_code: code,
      status: 'REQUIRES_ACTION',
      latest_payment_id: null,
      actions: gateway.now.showsNothing ? [] : [actionOf(code)],
    }
    requests.set(made.payment_request_id, made)
    return made
  })

  function handle(call: Call): Reply {
    const { method, headers, segments } = call
    const [, root, id, action] = segments
    if (headers['api-version'] !== version) {
      gateway.problems.push('wrong api-version')
      return [400, { error_code: 'API_VALIDATION_ERROR', message: 'api-version' }]
    }
    if (root === 'payments') {
      const payment = payments.get(id ?? '')
      return payment ? [200, payment] : [404, { error_code: 'DATA_NOT_FOUND', message: 'payment not found' }]
    }
    if (method === 'POST' && id === undefined) {
      const { refusesRequests } = gateway.now
      if (refusesRequests) return [refusesRequests[0], { error_code: refusesRequests[1], message: 'not activated' }]
      return create(call)
    }
    const request = requests.get(id ?? '')
    if (!request) return [404, { error_code: 'DATA_NOT_FOUND', message: 'payment request not found' }]
    if (method === 'GET') return [200, request]
    if (method === 'POST' && action === 'cancel') {
      if (!isOpen(request)) return [409, { error_code: 'INVALID_STATUS', message: request.status }]
      request.status = 'CANCELED'
      return [200, request]
    }
    return [405, { error_code: 'METHOD_NOT_ALLOWED', message: method }]
  }

  /** Each payment has its own reference. */
  function pay(request: DoublePaymentRequest, { amount = request.request_amount, currency = request.currency } = {}) {
    const payment: DoublePayment = {
      payment_id: `py-${randomUUID()}`,
      payment_request_id: request.payment_request_id,
      reference_id: randomUUID(),
      status: 'SUCCEEDED',
      currency,
      request_amount: request.request_amount,
      captures: [{ capture_id: `cap-${randomUUID()}`, capture_amount: amount }],
    }
    payments.set(payment.payment_id, payment)
    Object.assign(request, { status: 'SUCCEEDED', latest_payment_id: payment.payment_id })
    return payment
  }

  return { requests, handle, pay }
}

export const isOpen = ({ status }: DoublePaymentRequest) =>
  status === 'ACCEPTING_PAYMENTS' || status === 'REQUIRES_ACTION'

function actionOf(code: string): Action {
  const digits = BigInt(`0x${randomUUID().slice(-12)}`)
    .toString()
    .slice(-12)
    .padStart(12, '0')
  const type = 'PRESENT_TO_CUSTOMER'
  return virtualAccount.test(code)
    ? { type, descriptor: 'VIRTUAL_ACCOUNT_NUMBER', value: `8808${digits}` }
    : { type, descriptor: 'QR_STRING', value: `00020101021226${digits}5303360` }
}

function wrongRequestFields(body: Record<string, unknown>): string[] {
  const properties = (body.channel_properties ?? {}) as Record<string, unknown>
  const code = String(body.channel_code)
  return wrongFields((must) => {
    must('reference_id', isText(body.reference_id, 255))
    must('type', body.type === 'PAY')
    must('country', body.country === 'ID')
    must('currency', body.currency === 'IDR')
    must('request_amount', Number.isInteger(body.request_amount) && (body.request_amount as number) > 0)
    must('capture_method', body.capture_method === undefined || body.capture_method === 'AUTOMATIC')
    must('channel_code', channel.test(code))
    const account = virtualAccount.test(code)
    // Account numbers can have an expiry, codes cannot.
    must('channel_properties.expires_at', account ? isMoment(properties.expires_at) : !('expires_at' in properties))
    must(
      'channel_properties.display_name',
      account ? /^[A-Za-z ]{3,50}$/.test(String(properties.display_name)) : !('display_name' in properties),
    )
    must('description', body.description === undefined || isText(body.description, 1000))
  })
}
