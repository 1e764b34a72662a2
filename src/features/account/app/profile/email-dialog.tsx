import { useLingui } from '@lingui/react/macro'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { EmailField } from '#ui/field.tsx'
import { showServerProblems, useProblem } from '../form-errors.ts'
import { askForEmail } from '../profile-api.ts'
import { emailRule } from '../validation.ts'
import { FactorField } from './factor-field.tsx'
import { ProofFields } from './proof-fields.tsx'
import { useFactor } from './use-factor.ts'
import { useProof } from './use-proof.ts'

function EmailForm({ onDone }: { onDone: () => void }) {
  const { t } = useLingui()
  const proof = useProof('email')
  const factor = useFactor('unless-shown')
  const [sent, setSent] = useState<string | null>(null)
  const form = useForm({ defaultValues: { email: '' } })
  const problem = useProblem(form.formState.errors)

  const submit = form.handleSubmit(async ({ email }) => {
    const shown = proof.demand()
    if (!shown) return
    try {
      const second = await factor.show()
      if (second) setSent(await askForEmail({ ...shown, ...second }, email))
    } catch (error) {
      if (proof.refused(error) || factor.refused(error)) return
      showServerProblems(error, form.setError)
      if (!(error instanceof ApiError && 'email' in error.details)) {
        form.setError('email', { type: 'server', message: errorText(error) })
      }
    }
  }, proof.demand)

  if (sent !== null) {
    return (
      <div className="grid gap-5">
        <p role="status" className="flex items-start gap-3 rounded-box bg-soft p-5 text-on-soft leading-relaxed">
          <MailCheck aria-hidden className="size-6 shrink-0" />
          {sent}
        </p>
        <Button size="lg" onClick={onDone}>
          {t`Mengerti`}
        </Button>
      </div>
    )
  }
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <p className="text-muted leading-relaxed">
        {t`Kami kirim tautan ke alamat baru. Emailmu berganti setelah tautannya dibuka.`}
      </p>
      <EmailField
        label={t`Email baru`}
        autoComplete="email"
        error={problem('email')}
        {...form.register('email', { validate: emailRule })}
      />
      <ProofFields purpose="email" proof={proof.proof} error={proof.problem} onProof={proof.show} />
      <FactorField factor={factor} />
      <Button type="submit" size="lg" busy={form.formState.isSubmitting}>
        {t`Kirim tautan`}
      </Button>
    </form>
  )
}

export function EmailDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <BottomSheet open={open} onClose={onClose} title={t`Ganti email`}>
      <EmailForm onDone={onClose} />
    </BottomSheet>
  )
}
