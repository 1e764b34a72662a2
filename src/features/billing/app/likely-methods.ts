import { localKeys } from '#client/storage.ts'
import { type MethodId, methodIds } from '../methods.ts'
import type { PaymentMethodView } from '../schemas.ts'

/** Most common payment methods in Indonesia. */
const usual: readonly MethodId[] = ['qris', 'gopay', 'dana', 'bca']
const count = 4

export function lastMethod(): MethodId | null {
  const kept = localStorage.getItem(localKeys.paymentMethod)
  return methodIds.find((id) => id === kept) ?? null
}

export function rememberMethod(method: MethodId | null): void {
  if (method) localStorage.setItem(localKeys.paymentMethod, method)
}

/** The last used method comes first, the rest keeps its order. */
export function likelyMethods(
  methods: readonly PaymentMethodView[],
  last: MethodId | null,
): { likely: PaymentMethodView[]; others: PaymentMethodView[] } {
  const order = [...(last ? [last] : []), ...usual]
  const rank = ({ id }: PaymentMethodView) => (order.includes(id) ? order.indexOf(id) : order.length)
  const likely = [...methods].sort((one, other) => rank(one) - rank(other)).slice(0, count)
  return { likely, others: methods.filter((method) => !likely.includes(method)) }
}
