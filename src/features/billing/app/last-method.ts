import { onSignOut } from '#client/session.ts'
import { type MethodId, methodIds } from '../methods.ts'

const key = 'paymentMethod'

/** The method with which somebody ordered last on this device. */
export function lastMethod(): MethodId | null {
  const kept = localStorage.getItem(key)
  return methodIds.find((id) => id === kept) ?? null
}

export function rememberMethod(method: MethodId | null): void {
  if (method) localStorage.setItem(key, method)
}

onSignOut((reason) => {
  if (reason !== 'ended') localStorage.removeItem(key)
})
