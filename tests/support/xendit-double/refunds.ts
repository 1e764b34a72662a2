import { randomUUID } from 'node:crypto'
import { type Call, createOnce, type Gateway, isText, type Reply, wrongFields } from './gateway.ts'

export interface DoubleRefund {
  id: string
  payment_request_id: string
  reference_id: string
  amount: number
  currency: string
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  failure_code: string | null
}

/** Starts pending, like a wallet's. */
export function createRefunds(
  gateway: Gateway,
  paid: readonly { values(): Iterable<{ payment_request_id?: string | null; status: string }> }[],
) {
  const refunds = new Map<string, DoubleRefund>()
  const create = createOnce(
    gateway,
    (body) =>
      wrongFields((must) => {
        const known = paid.flatMap((kind) => [...kind.values()])
        const request = known.find(({ payment_request_id: id }) => id === body.payment_request_id)
        must('payment_request_id', request?.status === 'SUCCEEDED' || request?.status === 'COMPLETED')
        must('reference_id', isText(body.reference_id, 255))
        must('currency', body.currency === 'IDR')
        must('amount', Number.isInteger(body.amount) && (body.amount as number) > 0)
        must('reason', body.reason === 'REQUESTED_BY_CUSTOMER')
      }),
    (body) => {
      const made: DoubleRefund = {
        id: `rfd-${randomUUID()}`,
        payment_request_id: body.payment_request_id as string,
        reference_id: body.reference_id as string,
        amount: body.amount as number,
        currency: 'IDR',
        status: 'PENDING',
        failure_code: null,
      }
      refunds.set(made.id, made)
      return made
    },
  )

  function handle(call: Call): Reply {
    const id = call.segments[1]
    if (call.method === 'POST' && id === undefined) return create(call)
    const refund = refunds.get(id ?? '')
    return refund ? [200, refund] : [404, { error_code: 'DATA_NOT_FOUND', message: 'refund not found' }]
  }

  return { refunds, handle }
}
