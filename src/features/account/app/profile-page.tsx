import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { PageHeader } from '#ui/page-header.tsx'
import { confirmationAtom, type Sensitive } from './confirmation.ts'
import { Card } from './profile/card.tsx'
import { IdentityCard } from './profile/identity-card.tsx'
import { SecurityCard } from './profile/security-card.tsx'
import { catchUp, profileQuery } from './profile-api.ts'
import { ThemePicker } from './theme-picker.tsx'

// The last card of a long page.
const DataCard = lazy(async () => ({ default: (await import('./profile/data-card.tsx')).DataCard }))

// They come after the page, so that they are there when somebody asks for one.
const EmailDialog = lazy(async () => ({ default: (await import('./profile/email-dialog.tsx')).EmailDialog }))
const PasswordDialog = lazy(async () => ({ default: (await import('./profile/password-dialog.tsx')).PasswordDialog }))
const DeleteAccountDialog = lazy(async () => ({
  default: (await import('./profile/delete-account-dialog.tsx')).DeleteAccountDialog,
}))

/** /profile and /admin/users/me: the account, its appearance, its security and its data. */
export function ProfilePage() {
  const { t } = useLingui()
  const [search] = useSearchParams()
  // Somebody comes back from a provider's confirmation to what they were about to do.
  const [asked, setAsked] = useState<Sensitive | null>(useAtomValue(confirmationAtom)?.purpose ?? null)
  const close = () => setAsked(null)
  const changed = search.get('email')
  const { data: profile } = useQuery(profileQuery)
  useEffect(() => {
    if (profile) void catchUp(profile).catch(() => undefined)
  }, [profile])
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
      <Suspense fallback={null}>
        <EmailDialog open={asked === 'email'} onClose={close} />
        <PasswordDialog open={asked === 'password'} onClose={close} />
        <DeleteAccountDialog open={asked === 'delete'} onClose={close} />
      </Suspense>
    </div>
  )
}
