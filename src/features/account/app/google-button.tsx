import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Button } from '#app/ui/button.tsx'
import { providersQuery } from './calls.ts'

/** What the callback page sends to the page that opened it. */
export interface TokenMessage {
  type: 'auth-token'
  token: string
}

/** Opens the provider's page: square, 70 % of the window's height, centred (specification §4). */
function openPopup(): void {
  const size = Math.round(window.innerHeight * 0.7)
  const left = Math.round(window.screenX + (window.outerWidth - size) / 2)
  const top = Math.round(window.screenY + (window.outerHeight - size) / 2)
  const popup = window.open('/api/login_google', 'login_google', `width=${size},height=${size},left=${left},top=${top}`)
  if (!popup) window.location.assign('/api/login_google')
}

/** Only where the operator configured Google. */
export function GoogleButton({ onToken }: { onToken: (token: string) => void }) {
  const { data } = useQuery(providersQuery)

  useEffect(() => {
    const onMessage = (event: MessageEvent<TokenMessage>) => {
      if (event.origin !== window.location.origin || event.data?.type !== 'auth-token') return
      onToken(event.data.token)
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [onToken])

  if (!data?.providers.includes('google')) return null
  return (
    <>
      <Button variant="outline" size="lg" className="w-full" icon={<GoogleMark />} onClick={openPopup}>
        Masuk dengan Google
      </Button>
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        atau
      </p>
    </>
  )
}

function GoogleMark() {
  return (
    <span
      aria-hidden="true"
      className="grid size-6 place-items-center rounded-full bg-base-content font-bold text-base-100 text-sm"
    >
      G
    </span>
  )
}
