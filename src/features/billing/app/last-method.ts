import { localKeys } from '#client/storage.ts'
import { type MethodId, methodIds } from '../methods.ts'

/** The method with which somebody ordered last on this device. */
export function lastMethod(): MethodId | null {
  const kept = localStorage.getItem(localKeys.paymentMethod)
  return methodIds.find((id) => id === kept) ?? null
}

export function rememberMethod(method: MethodId | null): void {
  if (method) localStorage.setItem(localKeys.paymentMethod, method)
}
