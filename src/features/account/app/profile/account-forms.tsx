import { Trans, useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { apiFetch } from '#client/api.ts'
import { signOut, userAtom } from '#client/session.ts'
import { Button } from '#ui/button.tsx'
import { EmailField, PasswordField } from '#ui/field.tsx'
import { Form, FormProblem } from '#ui/form.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { emailProblems, newPasswordProblems } from '../../rules.ts'
import { NewPasswordField } from '../new-password-field.tsx'
import { changePassword, requestNewEmail } from '../profile-api.ts'
import { ReauthenticationFields } from '../reauthentication/reauthentication-form.tsx'
import { useReauthentication } from '../reauthentication/use-reauthentication.ts'

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
    <Form form={form} action={t`Simpan kata sandi`}>
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
    </Form>
  )
}

export function EmailForm({ onDone }: { onDone: () => void }) {
  const { t } = useLingui()
  const [sent, setSent] = useState<string | null>(null)
  const form = useReauthentication({
    purpose: 'email',
    factor: 'unless-shown',
    check: emailProblems,
    send: async (credential, { email }) => setSent(await requestNewEmail(credential, email)),
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
    <Form form={form} action={t`Kirim tautan`}>
      <p className="text-muted leading-relaxed">
        {t`Kami kirim tautan ke alamat baru. Emailmu berganti setelah tautannya dibuka.`}
      </p>
      <EmailField label={t`Email baru`} autoComplete="email" {...form.field('email')} />
      <ReauthenticationFields form={form} />
    </Form>
  )
}

export function DeleteAccountForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const form = useReauthentication({
    purpose: 'delete',
    send: async (credential) => {
      await apiFetch('/api/user/delete', { json: credential })
      await signOut()
      navigate('/', { replace: true })
      showSnackbar('success', t`Akunmu sudah dihapus`)
    },
  })
  return (
    <Form form={form}>
      <div className="grid gap-3 leading-relaxed">
        <p className="font-semibold">
          <Trans>Ini terjadi seketika dan tidak bisa dibatalkan:</Trans>
        </p>
        <ul className="grid list-disc gap-1.5 pl-5">
          <li>
            <Trans>Semua foto dan hasilmu dihapus, juga unggahan yang masih menunggu di perangkat ini.</Trans>
          </li>
          <li>
            <Trans>Nama, email, dan persetujuanmu dihapus, dan kamu keluar di semua perangkat.</Trans>
          </li>
          <li>
            <Trans>Sisa kredit dan paketmu hangus.</Trans>
          </li>
          <li>
            <Trans>Catatan pembayaran dan kredit tetap ada, tanpa namamu, karena wajib kami simpan.</Trans>
          </li>
        </ul>
        <p className="text-muted">
          <Trans>Mau menyimpan salinannya? Unduh datamu dulu sebelum menghapus.</Trans>
        </p>
      </div>
      <ReauthenticationFields form={form} />
      <FormProblem>{form.problem}</FormProblem>
      <div className="grid gap-2.5">
        <Button type="submit" size="lg" variant="danger" busy={form.busy}>
          {t`Hapus akunku selamanya`}
        </Button>
        <Button size="lg" variant="ghost" onClick={onClose}>
          {t`Jangan hapus`}
        </Button>
      </div>
    </Form>
  )
}
