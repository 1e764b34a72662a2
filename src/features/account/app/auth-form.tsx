import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { NetworkError } from '#client/device/network-error.ts'
import { Button } from '#ui/button.tsx'
import { Form, type FormState } from '#ui/form.tsx'
import { loginWithPasskey, providersQuery } from './api.ts'

export function OfflineNote({ error }: { error: unknown }) {
  if (!(error instanceof NetworkError)) return null
  return (
    <p role="alert" className="rounded-field bg-soft px-4 py-3 text-sm text-on-soft leading-relaxed">
      Server tidak terjangkau. Periksa koneksi internetmu, lalu coba lagi. Isianmu tetap tersimpan di sini.
    </p>
  )
}

export function AuthForm({
  form,
  action,
  more,
  children,
}: {
  form: FormState
  action: string
  more?: ReactNode
  children: ReactNode
}) {
  return (
    <Form form={form}>
      {children}
      <OfflineNote error={form.failure} />
      <Button type="submit" size="lg" busy={form.busy}>
        {action}
      </Button>
      {more}
    </Form>
  )
}

export interface AuthFormLocation {
  state: unknown
  /** Set in a sheet only. */
  onOther?: (() => void) | undefined
}

/** Carries the redirect target. */
export function AuthLink({ to, state, onOther, children }: AuthFormLocation & { to: string; children: ReactNode }) {
  const look = 'inline-flex min-h-11 items-center font-semibold text-primary-ink hover:underline'
  return onOther ? (
    <button type="button" className={`${look} cursor-pointer`} onClick={onOther}>
      {children}
    </button>
  ) : (
    <Link to={to} state={state} className={look}>
      {children}
    </Link>
  )
}

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
