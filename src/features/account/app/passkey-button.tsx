import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { Button } from '#ui/button.tsx'
import { loginWithPasskey, providersQuery } from './api.ts'

const browserHasPasskeys = () => typeof window === 'undefined' || 'PublicKeyCredential' in window

/**
 * Rendered before the server's answer, which is negative only at bare addresses, so that the layout
 * does not shift.
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
