import { useLingui } from '@lingui/react/macro'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { EmailField } from '#ui/field.tsx'
import { Form, FormProblem } from '#ui/form.tsx'
import { emailProblems } from '../../rules.ts'
import { askForEmail } from '../profile-api.ts'
import { ReauthenticationFields } from '../reauthentication/reauthentication-fields.tsx'
import { useReauthentication } from '../reauthentication/use-reauthentication.ts'

/** Another address, which counts once the link that is mailed to it is opened. */
export function EmailForm({ onDone }: { onDone: () => void }) {
  const { t } = useLingui()
  const [sent, setSent] = useState<string | null>(null)
  const form = useReauthentication({
    purpose: 'email',
    factor: 'unless-shown',
    check: emailProblems,
    send: async (credential, { email }) => setSent(await askForEmail(credential, email)),
  })
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
    <Form form={form}>
      <p className="text-muted leading-relaxed">
        {t`Kami kirim tautan ke alamat baru. Emailmu berganti setelah tautannya dibuka.`}
      </p>
      <EmailField label={t`Email baru`} autoComplete="email" {...form.field('email')} />
      <ReauthenticationFields form={form} />
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" size="lg" busy={form.busy}>
        {t`Kirim tautan`}
      </Button>
    </Form>
  )
}
