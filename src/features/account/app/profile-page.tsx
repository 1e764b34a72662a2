import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { lazyComponent } from '#client/lazy.ts'
import { BottomSheet } from '#ui/dialog.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Card } from './profile/card.tsx'
import { DeleteAccountForm } from './profile/delete-account-form.tsx'
import { EmailForm } from './profile/email-form.tsx'
import { IdentityCard } from './profile/identity-card.tsx'
import { PasswordForm } from './profile/password-form.tsx'
import { SecurityCard } from './profile/security-card.tsx'
import { catchUp, profileQuery } from './profile-api.ts'
import { confirmationAtom, type Purpose } from './reauthentication/confirmation.ts'
import { ThemePicker } from './theme-picker.tsx'

// The last card of a long page.
const DataCard = lazyComponent(() => import('./profile/data-card.tsx'), 'DataCard')

/** /profile and /admin/users/me: the account, its appearance, its security and its data. */
export function ProfilePage() {
  const { t } = useLingui()
  const [search] = useSearchParams()
  // Somebody comes back from a provider's confirmation to what they were about to do.
  const [asked, setAsked] = useState<Purpose | null>(useAtomValue(confirmationAtom)?.purpose ?? null)
  const close = () => setAsked(null)
  const changed = search.get('email')
  const { data: profile } = useQuery(profileQuery)
  useEffect(() => {
    if (profile) void catchUp(profile).catch(() => undefined)
  }, [profile])
  const sheets: Record<Purpose, string | null> = {
    email: t`Ganti email`,
    password: profile?.hasPassword === false ? t`Buat kata sandi` : t`Ganti kata sandi`,
    delete: t`Hapus akun?`,
    // What asks by itself.
    security: null,
  }
  const title = asked && sheets[asked]
  return (
    <div className="page">
      <PageHeader title={t`Akun`} />
      {(changed === '0' || changed === '1') && (
        <p role="status" className="mb-6 rounded-box bg-soft px-5 py-4 font-medium text-on-soft leading-relaxed">
          {changed === '1'
            ? t`Alamat emailmu sudah berganti.`
            : t`Tautan itu sudah tidak berlaku. Minta yang baru lewat “Ganti email”.`}
        </p>
      )}
      {search.get('enrol') === '1' && (
        <p role="status" className="mb-6 rounded-box bg-soft px-5 py-4 font-medium text-on-soft leading-relaxed">
          {t`Emailmu terkonfirmasi. Dalam setengah jam ini kamu bisa menambah langkah kedua di bagian Keamanan.`}
        </p>
      )}
      <div className="grid grid-cols-1 gap-6 pb-10 lg:grid-cols-2">
        <IdentityCard onChangeEmail={() => setAsked('email')} />
        <Card title={t`Tampilan`}>
          <ThemePicker />
        </Card>
        <SecurityCard onChangePassword={() => setAsked('password')} />
        <Suspense>
          <DataCard onDelete={() => setAsked('delete')} />
        </Suspense>
      </div>
      <BottomSheet open={title !== null} onClose={close} title={title}>
        {asked === 'email' && <EmailForm onDone={close} />}
        {asked === 'password' && <PasswordForm onDone={close} />}
        {asked === 'delete' && <DeleteAccountForm onClose={close} />}
      </BottomSheet>
    </div>
  )
}
