import { type ReactNode, useState } from 'react'
import { errorText } from '#client/errors.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { ShownFactor } from '../api.ts'
import type { Proof } from '../profile-api.ts'
import { FactorField } from './factor-field.tsx'
import { ProofFields } from './proof-fields.tsx'
import { type FactorNeed, useFactor } from './use-factor.ts'
import { useProof } from './use-proof.ts'

interface ProofFormProps {
  /** What happens and what it means. */
  children: ReactNode
  /** The words of the button. */
  action: string
  variant?: 'primary' | 'danger'
  /** Whether a second factor is asked for too. */
  factor?: FactorNeed
  onProven: (proof: Proof & ShownFactor) => Promise<void>
}

/** Asks for the password (or a provider's confirmation) and then does what needs it. */
export function ProofForm({ children, action, variant = 'primary', factor: need = 'never', onProven }: ProofFormProps) {
  const proof = useProof('security')
  const factor = useFactor(need)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    const shown = proof.demand()
    if (!shown) return
    setBusy(true)
    try {
      const second = await factor.show()
      if (second) await onProven({ ...shown, ...second })
    } catch (error) {
      const closedByPerson = error instanceof Error && error.name === 'NotAllowedError'
      if (!closedByPerson && !proof.refused(error) && !factor.refused(error)) showSnackbar('error', errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className="text-muted leading-relaxed">{children}</p>
      <ProofFields purpose="security" proof={proof.proof} error={proof.problem} onProof={proof.show} />
      <FactorField factor={factor} />
      <Button type="submit" size="lg" variant={variant} busy={busy}>
        {action}
      </Button>
    </form>
  )
}

export function ProofDialog({
  open,
  onClose,
  title,
  ...form
}: ProofFormProps & { open: boolean; onClose: () => void; title: string }) {
  return (
    <BottomSheet open={open} onClose={onClose} title={title}>
      <ProofForm
        {...form}
        onProven={async (proof) => {
          await form.onProven(proof)
          onClose()
        }}
      />
    </BottomSheet>
  )
}
