import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { NetworkError } from '#client/device/network-error.ts'
import { Button } from '#ui/button.tsx'
import { Form, type FormState } from '#ui/form.tsx'

/** Beside the notice that a call failed: what to do when the server could not be reached. */
export function OfflineNote({ error }: { error: unknown }) {
  if (!(error instanceof NetworkError)) return null
  return (
    <p role="alert" className="rounded-field bg-soft px-4 py-3 text-sm text-on-soft leading-relaxed">
      Server tidak terjangkau. Periksa koneksi internetmu, lalu coba lagi. Isianmu tetap tersimpan di sini.
    </p>
  )
}

/** A form of the auth screens; what failed is also told at the edge of the screen. */
export function AuthForm({
  form,
  action,
  more,
  children,
}: {
  form: FormState
  /** What the button says. */
  action: string
  /** What stands below the button. */
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

/** Where a form of the auth screens stands: on its page, or in the sheet of another one. */
export interface AuthPlace {
  /** Navigation state, with the target of the person. */
  state: unknown
  /** In a sheet: shows the other form there. */
  onOther?: (() => void) | undefined
}

/** From one auth screen to another, which takes the target along. */
export function AuthLink({ to, state, onOther, children }: AuthPlace & { to: string; children: ReactNode }) {
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
