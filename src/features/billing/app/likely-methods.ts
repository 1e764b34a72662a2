import { localKeys } from '#client/storage.ts'
import { type MethodId, methodIds } from '../methods.ts'
import type { PaymentMethodView } from '../types.ts'

/** Most common payment methods in Indonesia. */
const usual: readonly MethodId[] = ['qris', 'gopay', 'dana', 'bca']
const count = 4

/** Method of the last order on this device. */
export function lastMethod(): MethodId | null {
  const kept = localStorage.getItem(localKeys.paymentMethod)
  return methodIds.find((id) => id === kept) ?? null
}

export function rememberMethod(method: MethodId | null): void {
  if (method) localStorage.setItem(localKeys.paymentMethod, method)
}

/** Methods to show first, the last used one before all others, and the rest in order. */
export function likelyMethods(
  methods: readonly PaymentMethodView[],
  last: MethodId | null,
): { likely: PaymentMethodView[]; others: PaymentMethodView[] } {
  const order = [...(last ? [last] : []), ...usual]
  const rank = ({ id }: PaymentMethodView) => (order.includes(id) ? order.indexOf(id) : order.length)
  const likely = [...methods].sort((one, other) => rank(one) - rank(other)).slice(0, count)
  return { likely, others: methods.filter((method) => !likely.includes(method)) }
}
