import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { formatNumber } from '#client/format.ts'
import { sessionEndedAtom, userAtom } from '#client/session.ts'
import { EmailField } from '#ui/field.tsx'
import { useForm } from '#ui/form.tsx'
import { ScreenSpinner } from '#ui/logo.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { useWelcomeCredits } from '#ui/welcome-offer.tsx'
import { emailProblems } from '../rules.ts'
import { authStatusAtom, challengeAtom, forgotPassword, leaveAuthForm, loginVerified } from './api.ts'
import { AuthForm, AuthLink } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { CodeForm } from './code-form.tsx'
import { formTexts } from './form-texts.ts'
import { LoginForm } from './login-form.tsx'
import { landingOf, takeStoredTarget, targetOf } from './redirect-target.ts'
import { RegisterForm } from './register-form.tsx'

const screens = {
  '/login': { title: 'Masuk', lead: 'Senang melihatmu lagi.' },
  '/register': { title: 'Daftar', lead: null },
  '/forgot-password': {
    title: 'Lupa kata sandi',
    lead: 'Tulis email akunmu. Kami kirim tautan untuk membuat kata sandi baru.',
  },
} as const

export function AuthPage() {
  const [path, navigate] = useLocation()
  const [search] = useSearchParams()
  const state: unknown = useHistoryState()
  const user = useAtomValue(userAtom)
  const sessionEnded = useAtomValue(sessionEndedAtom)
  const challenge = useAtomValue(challengeAtom)
  const { status } = useAtomValue(authStatusAtom)
  const welcome = useWelcomeCredits()
  const leaving = useRef(false)
  const screen = path in screens ? (path as keyof typeof screens) : '/login'
  const verified = search.get('verified')
  const cameSignedIn = useRef(user !== null)
  useEffect(() => {
    // A signed-in user sees no form with a notice.
    if (cameSignedIn.current && verified === '1') showSnackbar('success', 'Email kamu sudah terverifikasi.')
  }, [verified])
  useEffect(() => {
    if (!user || leaving.current) return
    leaving.current = true
    const kept = takeStoredTarget()
    navigate(landingOf(user, targetOf(state) ?? kept), { replace: true })
  }, [user, navigate, state])
  // On the device of the registration the mailed link suffices.
  const [cameByLink] = useState(screen === '/login' && verified === '1' && user === null)
  const [entering, setEntering] = useState(cameByLink)
  useEffect(() => {
    if (cameByLink) void loginVerified().then(setEntering)
  }, [cameByLink])
  // biome-ignore lint/correctness/useExhaustiveDependencies: changing the screen is what it is about
  useEffect(() => leaveAuthForm, [screen])

  if (entering) return <ScreenSpinner />
  if (screen === '/register' && status === 'verify-email' && !challenge) {
    return (
      <AuthLayout title="Tinggal satu langkah">
        <RegisterForm state={state} />
      </AuthLayout>
    )
  }
  const credits = welcome === undefined ? 'kredit' : `${formatNumber(welcome)} kredit`
  const registerLead =
    welcome === 0 ? 'Gratis.' : `Gratis. Begitu email terverifikasi, kamu langsung dapat ${credits} untuk mencoba.`
  const lead =
    screen === '/login' && sessionEnded
      ? 'Sesimu sudah berakhir. Masuk lagi untuk melanjutkan; pekerjaanmu tetap tersimpan.'
      : (screens[screen].lead ?? registerLead)
  return (
    <AuthLayout title={screens[screen].title} lead={lead}>
      {challenge && <CodeForm />}
      {!challenge && screen === '/login' && <LoginForm verified={verified} state={state} />}
      {!challenge && screen === '/register' && <RegisterForm state={state} />}
      {!challenge && screen === '/forgot-password' && <ForgotForm state={state} />}
    </AuthLayout>
  )
}

function ForgotForm({ state }: { state: unknown }) {
  const { status, tempEmail } = useAtomValue(authStatusAtom)
  const form = useForm({
    defaultValues: { email: '' },
    check: emailProblems,
    texts: formTexts,
    send: ({ email }) => forgotPassword(email),
  })
  return (
    <AuthForm
      form={form}
      action="Kirim"
      more={
        <p className="text-center">
          <AuthLink to="/login" state={state}>
            Kembali ke halaman masuk
          </AuthLink>
        </p>
      }
    >
      {status === 'reset-password' && (
        <p role="status" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
          Jika <strong className="wrap-anywhere">{tempEmail}</strong> terdaftar, tautan untuk mengatur ulang kata sandi
          sudah dikirim ke sana. Tautannya berlaku 60 menit.
        </p>
      )}
      <EmailField label="Email" {...form.field('email')} />
    </AuthForm>
  )
}
