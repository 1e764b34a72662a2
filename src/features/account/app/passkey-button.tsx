import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { Button } from '#ui/button.tsx'
import { loginWithPasskey, providersQuery } from './api.ts'

const browserHasPasskeys = () => typeof window === 'undefined' || 'PublicKeyCredential' in window

/**
 * Signs in with the device's own lock, where the address and the browser allow passkeys. It is
 * there before the server has said so, which it does except at bare addresses: the page is whole
 * when it is painted first, and nothing moves under a finger.
 */
export function PasskeyButton({ remember }: { remember: boolean }) {
  const { data: methods } = useQuery(providersQuery)
  const { mutate, isPending } = useMutation({ mutationFn: loginWithPasskey })
  if (methods?.passkey === false || !browserHasPasskeys()) return null
  return (
    <Button
      variant="outline"
      size="lg"
      className="w-full bg-base-100 px-3"
      busy={isPending}
      icon={KeyRound}
      onClick={() => mutate(remember)}
    >
      Masuk dengan kunci sandi
    </Button>
  )
}
