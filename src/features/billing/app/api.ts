import { apiFetch, apiJson } from '#client/api.ts'
import { saveBlob } from '#client/save-blob.ts'
import type { MethodId } from '../methods.ts'
import type { OrderView } from '../types.ts'
import { withIdempotencyKey } from './idempotency-key.ts'

const pathOf = (id: string) => `/api/orders/${encodeURIComponent(id)}`

export interface Payment {
  method: MethodId | null
  /** Where the method asks for it. */
  mobileNumber: string | null
}

interface Basket extends Payment {
  packageId: string | null
  voucherCode: string | null
}

/**
 * Places an order; asking again after a silence is the same order. Both texts were accepted on the
 * screen.
 */
export function placeOrder(basket: Basket): Promise<OrderView> {
  return withIdempotencyKey('order', basket, (headers) =>
    apiJson<OrderView>('/api/orders', { json: { ...basket, acceptPrivacy: true, acceptTerms: true }, headers }),
  )
}

/**
 * Another go at paying; returns the order to pay, which is a new one when the old was cancelled.
 */
export function payAgain(id: string, by: Payment): Promise<OrderView> {
  return withIdempotencyKey(`again:${id}`, by, (headers) =>
    apiJson<OrderView>(`${pathOf(id)}/pay_again`, { json: by, headers }),
  )
}

/**
 * Lets the server ask the gateway: somebody comes back from paying, and the webhook may be late or
 * lost.
 */
export function checkOrder(id: string): Promise<OrderView> {
  return apiJson<OrderView>(`${pathOf(id)}/check`, { method: 'POST' })
}

export function cancelOrder(id: string): Promise<OrderView> {
  return apiJson<OrderView>(`${pathOf(id)}/cancel`, { method: 'POST' })
}

export function reportTransfer(id: string, proof: File): Promise<OrderView> {
  const body = new FormData()
  body.set('proof', proof)
  return apiJson<OrderView>(`${pathOf(id)}/report_transfer`, { body })
}

/** Hands the receipt to the browser to be saved. */
export async function saveReceipt(id: string, number: string): Promise<void> {
  const response = await apiFetch(`${pathOf(id)}/receipt.pdf`, { headers: { accept: 'application/pdf' } })
  saveBlob(await response.blob(), `${number}.pdf`)
}
