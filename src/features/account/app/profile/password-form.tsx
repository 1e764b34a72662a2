import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { useForm, useWatch } from 'react-hook-form'
import { errorText } from '#client/errors.ts'
import { userAtom } from '#client/session.ts'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/field.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { showServerProblems, useProblem } from '../form-errors.ts'
import { NewPasswordField, type PasswordWords } from '../new-password-field.tsx'
import { changePassword } from '../profile-api.ts'
import { newPasswordRule, sameAsNewPassword } from '../validation.ts'
import { ProofFields } from './proof-fields.tsx'
import { useProof } from './use-proof.ts'

function usePasswordWords(): PasswordWords {
  const { t } = useLingui()
  return {
    rules: {
      'password.minLength': t`8 karakter`,
      'password.lowercase': t`huruf kecil`,
      'password.uppercase': t`huruf besar`,
      'password.number': t`angka`,
      'password.specialChar': t`simbol, misalnya ! atau ?`,
    },
    strengths: [
      t`Sangat mudah ditebak. Coba gabungkan beberapa kata.`,
      t`Mudah ditebak. Coba gabungkan beberapa kata.`,
      t`Lumayan. Lebih panjang lebih kuat.`,
      t`Kuat.`,
      t`Sangat kuat.`,
    ],
  }
}

/** A new password, after the old one; returns to `onDone` with this device still signed in. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useLingui()
  const user = useAtomValue(userAtom)
  const words = usePasswordWords()
  const proof = useProof('password')
  const form = useForm({ defaultValues: { password: '', confirmPassword: '' } })
  const problem = useProblem(form.formState.errors)
  const password = useWatch({ control: form.control, name: 'password' })

  const submit = form.handleSubmit(async (values) => {
    const shown = proof.demand()
    if (!shown) return
    try {
      await changePassword(shown, values.password)
      showSnackbar('success', t`Kata sandi berhasil diubah`)
      onDone()
    } catch (error) {
      if (proof.refused(error)) return
      showServerProblems(error, form.setError)
      showSnackbar('error', errorText(error))
    }
  }, proof.demand)

  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <p className="text-muted leading-relaxed">
        {t`Semua perangkat lain keluar dari akunmu. Di perangkat ini kamu tetap masuk.`}
      </p>
      <ProofFields purpose="password" proof={proof.proof} error={proof.problem} onProof={proof.show} />
      <NewPasswordField
        label={t`Kata sandi baru`}
        password={password}
        personal={[user?.name ?? '', user?.email ?? '']}
        words={words}
        showLabel={t`Tampilkan kata sandi baru`}
        hideLabel={t`Sembunyikan kata sandi baru`}
        error={problem('password')}
        {...form.register('password', { validate: newPasswordRule, deps: ['confirmPassword'] })}
      />
      <PasswordField
        label={t`Konfirmasi kata sandi`}
        autoComplete="new-password"
        showLabel={t`Tampilkan konfirmasi kata sandi`}
        hideLabel={t`Sembunyikan konfirmasi kata sandi`}
        error={problem('confirmPassword')}
        {...form.register('confirmPassword', { validate: sameAsNewPassword })}
      />
      <Button type="submit" size="lg" busy={form.formState.isSubmitting}>
        {t`Simpan kata sandi`}
      </Button>
    </form>
  )
}
