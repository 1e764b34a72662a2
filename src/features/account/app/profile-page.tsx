import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Check, Info, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { languageAtom } from '#client/i18n.ts'
import { lazyComponent } from '#client/lazy.ts'
import { requiredActionAtom, userAtom } from '#client/session.ts'
import { themeAtom } from '#client/theme.ts'
import { languageNames } from '#shared/language.ts'
import { pageDetails, pagesIn } from '#shared/pages.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { nameMaxLength, nameProblems } from '../rules.ts'
import { chooseLanguage, chooseTheme } from './appearance.ts'
import { neutrals, primaries } from './palette.ts'
import { DeleteAccountForm, EmailForm, PasswordForm } from './profile/account-forms.tsx'
import { Card, Row } from './profile/card.tsx'
import { SecurityCard } from './profile/security-card.tsx'
import { changeProfile, profileQuery, refreshOutdatedToken } from './profile-api.ts'
import { confirmationAtom, type Purpose } from './provider-window.ts'

const ApiKeysCard = lazyComponent(() => import('./profile/api-keys-card.tsx'), 'ApiKeysCard', null)
const DataCard = lazyComponent(() => import('./profile/data-card.tsx'), 'DataCard', null)

/** `children`: sections of other features. */
export function ProfilePage({ children }: { children: ReactNode }) {
  const { t, i18n } = useLingui()
  const [search] = useSearchParams()
  // Reopens the pending action after the return from a provider's confirmation.
  const [asked, setAsked] = useState<Purpose | null>(useAtomValue(confirmationAtom)?.purpose ?? null)
  const close = () => setAsked(null)
  const changed = search.get('email')
  const { data: profile } = useQuery(profileQuery)
  const factorDue = useAtomValue(requiredActionAtom) === 'second_factor'
  useEffect(() => {
    if (profile) void refreshOutdatedToken(profile).catch(() => undefined)
  }, [profile])
  const sheets: Record<Purpose, string | null> = {
    email: t`Ganti email`,
    password: profile?.hasPassword === false ? t`Buat kata sandi` : t`Ganti kata sandi`,
    delete: t`Hapus akun?`,
    security: null,
  }
  const title = asked && sheets[asked]
  const emailNotices: Record<string, string> = {
    0: t`Tautan itu sudah tidak berlaku. Minta yang baru lewat “Ganti email”.`,
    1: t`Alamat emailmu sudah berganti.`,
    later: t`Kami sedang merawat server sebentar, dan tautan itu tetap berlaku. Buka lagi beberapa menit lagi, ya.`,
  }
  const toSecurity = (
    <a href="#security" className="font-semibold underline">
      {t`Aktifkan di bagian Keamanan`}
    </a>
  )
  return (
    <div className="page">
      <PageHeader title={t`Akun`} />
      {changed && Object.hasOwn(emailNotices, changed) && <Notice>{emailNotices[changed]}</Notice>}
      {search.get('enrol') === '1' ? (
        <Notice>
          {t`Emailmu terkonfirmasi. Tambahkan langkah kedua dalam setengah jam ini.`} {toSecurity}
        </Notice>
      ) : (
        factorDue && (
          <Notice>
            {t`Halaman admin masih tertutup: peranmu wajib memakai langkah kedua.`} {toSecurity}
          </Notice>
        )
      )}
      <div className="grid grid-cols-1 gap-6 pb-10 lg:grid-cols-2">
        <IdentityCard onChangeEmail={() => setAsked('email')} />
        <Card title={t`Tampilan`}>
          <ThemePicker />
        </Card>
        <div id="security" className="grid grid-cols-1">
          <SecurityCard onChangePassword={() => setAsked('password')} />
        </div>
        {children}
        <ApiKeysCard />
        <DataCard onDelete={() => setAsked('delete')} />
      </div>
      <nav aria-label={t`Bantuan dan ketentuan`} className="flex flex-wrap gap-x-6 pb-8">
        {pagesIn('footer').map((to) => (
          <Link key={to} to={to} className="inline-flex min-h-11 items-center font-medium hover:underline">
            {i18n._(pageDetails(to).name)}
          </Link>
        ))}
      </nav>
      <BottomSheet open={title !== null} onClose={close} title={title}>
        {asked === 'email' && <EmailForm onDone={close} />}
        {asked === 'password' && <PasswordForm onDone={close} />}
        {asked === 'delete' && <DeleteAccountForm onClose={close} />}
      </BottomSheet>
    </div>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="mb-6 rounded-box bg-soft px-5 py-4 font-medium text-on-soft leading-relaxed">
      {children}
    </p>
  )
}

function Swatches({
  legend,
  choices,
  chosen,
  tick,
  onChoose,
}: {
  legend: string
  choices: readonly { id: string; name: MessageDescriptor; swatch: string }[]
  chosen: string
  /** Must be readable on every swatch of the row. */
  tick: string
  onChoose: (id: string) => void
}) {
  const { i18n } = useLingui()
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-semibold text-sm">{legend}</legend>
      <div className="flex flex-wrap gap-1">
        {choices.map((choice) => (
          <label key={choice.id} className="grid size-11 cursor-pointer place-items-center" title={i18n._(choice.name)}>
            <input
              type="radio"
              name={legend}
              className="peer sr-only"
              checked={chosen === choice.id}
              onChange={() => onChoose(choice.id)}
            />
            <span className="sr-only">{i18n._(choice.name)}</span>
            <span
              aria-hidden="true"
              className="grid size-8 place-items-center rounded-full border border-base-content/20 ring-base-content ring-offset-2 ring-offset-base-100 peer-checked:ring-2 peer-focus-visible:outline-3 peer-focus-visible:outline-offset-4"
              style={{ backgroundColor: choice.swatch }}
            >
              {chosen === choice.id && <Check className={`size-4 ${tick}`} />}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function ThemePicker() {
  const { t } = useLingui()
  const theme = useAtomValue(themeAtom)
  return (
    <div className="grid gap-6">
      <Segmented
        label={t`Mode`}
        labelShown
        choices={{
          light: { label: t`Terang`, icon: Sun },
          dark: { label: t`Gelap`, icon: Moon },
          auto: { label: t`Otomatis`, icon: Monitor },
        }}
        value={theme.mode}
        onChange={(mode) => chooseTheme({ mode })}
      />
      <Swatches
        legend={t`Warna utama`}
        choices={primaries}
        chosen={theme.primary}
        tick="text-white"
        onChoose={(primary) => chooseTheme({ primary })}
      />
      <Swatches
        legend={t`Warna dasar`}
        choices={neutrals}
        chosen={theme.neutral}
        tick="text-black"
        onChoose={(neutral) => chooseTheme({ neutral })}
      />
    </div>
  )
}

function IdentityCard({ onChangeEmail }: { onChangeEmail: () => void }) {
  const { t, i18n } = useLingui()
  const user = useAtomValue(userAtom)
  const language = useAtomValue(languageAtom)
  const form = useForm({
    values: { name: user?.name ?? '' },
    check: nameProblems,
    send: async ({ name }) => {
      await changeProfile({ name: name.trim() })
      showSnackbar('success', t`Nama sudah disimpan`)
    },
  })
  return (
    <Card title={t`Profil`}>
      <div className="flex flex-wrap items-center gap-4">
        <span
          aria-hidden="true"
          className="grid size-16 shrink-0 place-items-center rounded-full bg-soft font-extrabold text-2xl text-on-soft uppercase"
        >
          {user?.name.slice(0, 1)}
        </span>
        <div className="min-w-[min(9rem,100%)] flex-1">
          <p className="wrap-anywhere font-bold text-lg">{user?.name}</p>
          <p className="wrap-anywhere text-muted">{user?.email}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-3 *:grow">
        <LinkButton to="/how-to-use" variant="outline" icon={Info}>
          {i18n._(pageDetails('/how-to-use').name)}
        </LinkButton>
        <LinkButton to="/logout" variant="outline" icon={LogOut}>
          {t`Keluar`}
        </LinkButton>
      </div>
      <Form form={form} className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <TextField label={t`Nama`} autoComplete="name" maxLength={nameMaxLength} {...form.field('name')} />
        </div>
        {form.formState.isDirty && (
          <Button type="submit" className="mt-6.5" busy={form.busy}>
            {t`Simpan`}
          </Button>
        )}
      </Form>
      <FormProblem>{form.problem}</FormProblem>
      <Row name={t`Email`} button={{ onClick: onChangeEmail, children: t`Ganti email` }}>
        <span className="wrap-anywhere">{user?.email}</span>
      </Row>
      <Segmented
        label={t`Bahasa`}
        labelShown
        choices={{ id: { label: languageNames.id, lang: 'id' }, en: { label: languageNames.en, lang: 'en' } }}
        value={language}
        onChange={(choice) => void chooseLanguage(choice)}
      />
    </Card>
  )
}
