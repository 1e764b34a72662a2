import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { AuthUser } from '#contract/session.ts'
import { Button } from '#ui/button.tsx'
import { loginWithPasskey, providersQuery } from './api.ts'

const browserHasPasskeys = () => typeof window === 'undefined' || 'PublicKeyCredential' in window

/**
 * Signs in with the device's own lock, where the address and the browser allow passkeys. It is
 * there before the server has said so, which it does except at bare addresses: the page is whole
 * when it is painted first, and nothing moves under a finger.
 */
export function PasskeyButton({ remember, onDone }: { remember: boolean; onDone: (user: AuthUser) => void }) {
  const { data: methods } = useQuery(providersQuery)
  const [busy, setBusy] = useState(false)
  if (methods?.passkey === false || !browserHasPasskeys()) return null
  const start = async () => {
    setBusy(true)
    try {
      const { user } = await loginWithPasskey(remember)
      if (user) onDone(user)
    } catch {
      // The notice has said it.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="outline"
      size="lg"
      className="w-full bg-base-100 px-3"
      busy={busy}
      icon={<KeyRound aria-hidden className="size-5" />}
      onClick={() => void start()}
    >
      Masuk dengan kunci sandi
    </Button>
  )
}
