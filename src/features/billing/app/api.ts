import { ApiError, apiFetch, apiJson } from '#client/api.ts'
import { saveBlob } from '#client/save-blob.ts'
import { readStoredJson, sessionKeys } from '#client/storage.ts'
import type { MethodId } from '../methods.ts'
import type { OrderView } from '../schemas.ts'
import type { InvoiceBuyer } from '../tax.ts'

const pathOf = (id: string) => `/api/orders/${encodeURIComponent(id)}`

export interface Payment {
  method: MethodId | null
  mobileNumber: string | null
}

interface Basket extends Payment {
  packageId: string | null
  voucherCode: string | null
}

/** A retry returns the same order. Both texts were accepted on the screen. */
export function placeOrder(basket: Basket): Promise<OrderView> {
  return withIdempotencyKey('order', basket, (headers) =>
    apiJson<OrderView>('/api/orders', { json: { ...basket, acceptPrivacy: true, acceptTerms: true }, headers }),
  )
}

/** Returns the order to pay, a new one if the old was cancelled. */
export function payAgain(id: string, by: Payment): Promise<OrderView> {
  return withIdempotencyKey(`again:${id}`, by, (headers) =>
    apiJson<OrderView>(`${pathOf(id)}/pay_again`, { json: by, headers }),
  )
}

/** Makes the server read the gateway, since the webhook may be late or lost. */
export function checkOrder(id: string): Promise<OrderView> {
  return apiJson<OrderView>(`${pathOf(id)}/check`, { method: 'POST' })
}

export function cancelOrder(id: string): Promise<OrderView> {
  return apiJson<OrderView>(`${pathOf(id)}/cancel`, { method: 'POST' })
}

/** Null for an invoice in the user's own name. */
export function setInvoiceBuyer(id: string, buyer: InvoiceBuyer | null): Promise<OrderView> {
  return apiJson<OrderView>(`${pathOf(id)}/invoice`, { method: 'PUT', json: { buyer } })
}

export function reportTransfer(id: string, proof: File): Promise<OrderView> {
  const body = new FormData()
  body.set('proof', proof)
  return apiJson<OrderView>(`${pathOf(id)}/report_transfer`, { body })
}

export async function saveReceipt(id: string, number: string): Promise<void> {
  const response = await apiFetch(`${pathOf(id)}/receipt.pdf`, { headers: { accept: 'application/pdf' } })
  await saveBlob(await response.blob(), `${number}.pdf`)
}

/** After other errors the server may have done the work anyway. */
function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429
}

/** Equal content keeps its Idempotency-Key, even through a reload, until the server answers. */
async function withIdempotencyKey<Answer>(
  purpose: string,
  content: unknown,
  work: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  const storageKey = sessionKeys.idempotencyKey + purpose
  const wanted = JSON.stringify(content)
  const kept = readStoredJson<{ content: string; key: string }>(storageKey, () => sessionStorage)
  const key = kept?.content === wanted ? kept.key : crypto.randomUUID()
  sessionStorage.setItem(storageKey, JSON.stringify({ content: wanted, key }))
  try {
    const answer = await work({ 'idempotency-key': key })
    sessionStorage.removeItem(storageKey)
    return answer
  } catch (error) {
    if (isAnswer(error)) sessionStorage.removeItem(storageKey)
    throw error
  }
}
