import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { userAtom } from '#client/session.ts'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/field.tsx'
import { Form, FormProblem } from '#ui/form.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { newPasswordProblems } from '../../rules.ts'
import { NewPasswordField } from '../new-password-field.tsx'
import { changePassword } from '../profile-api.ts'
import { ReauthenticationFields } from '../reauthentication/reauthentication-fields.tsx'
import { useReauthentication } from '../reauthentication/use-reauthentication.ts'

/** A new password, after the old one; returns to `onDone` with this device still signed in. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useLingui()
  const user = useAtomValue(userAtom)
  const form = useReauthentication({
    purpose: 'password',
    check: newPasswordProblems,
    send: async (credential, { password }) => {
      await changePassword(credential, password)
      showSnackbar('success', t`Kata sandi berhasil diubah`)
      onDone()
    },
  })
  return (
    <Form form={form}>
      <p className="text-muted leading-relaxed">
        {t`Semua perangkat lain keluar dari akunmu. Di perangkat ini kamu tetap masuk.`}
      </p>
      <ReauthenticationFields form={form} />
      <NewPasswordField
        label={t`Kata sandi baru`}
        password={form.watch('password')}
        personal={[user?.name ?? '', user?.email ?? '']}
        {...form.field('password', { deps: ['confirmPassword'] })}
      />
      <PasswordField label={t`Konfirmasi kata sandi`} autoComplete="new-password" {...form.field('confirmPassword')} />
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" size="lg" busy={form.busy}>
        {t`Simpan kata sandi`}
      </Button>
    </Form>
  )
}
