import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { Form, FormProblem } from '#ui/form.tsx'
import type { ShownFactor } from '../api.ts'
import type { Credential } from '../profile-api.ts'
import { ReauthenticationFields } from './reauthentication-fields.tsx'
import { type FactorNeed, useReauthentication } from './use-reauthentication.ts'

interface Props {
  /** What happens and what it means. */
  children: ReactNode
  /** The words of the button. */
  action: string
  variant?: 'primary' | 'danger'
  /** Whether a second factor is asked for too. */
  factor?: FactorNeed
  send: (credential: Credential & ShownFactor) => Promise<void>
}

/** Asks for nothing but who it is, and then does what needs it. */
export function ReauthenticationForm({ children, action, variant = 'primary', factor, send }: Props) {
  const form = useReauthentication({ purpose: 'security', factor, send })
  return (
    <Form form={form}>
      <p className="text-muted leading-relaxed">{children}</p>
      <ReauthenticationFields form={form} />
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" size="lg" variant={variant} busy={form.busy}>
        {action}
      </Button>
    </Form>
  )
}

export function ReauthenticationDialog({
  open,
  onClose,
  title,
  ...form
}: Props & { open: boolean; onClose: () => void; title: string }) {
  return (
    <BottomSheet open={open} onClose={onClose} title={title}>
      <ReauthenticationForm
        {...form}
        send={async (credential) => {
          await form.send(credential)
          onClose()
        }}
      />
    </BottomSheet>
  )
}
