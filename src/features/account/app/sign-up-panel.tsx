import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { showIndonesianOnly } from '#client/i18n.ts'
import { store, userAtom } from '#client/session.ts'
import { authStatusAtom, challengeAtom, leaveAuthForm } from './api.ts'
import { CodeForm } from './code-form.tsx'
import { LoginForm } from './login-form.tsx'
import { takeStoredTarget } from './redirect-target.ts'
import { RegisterForm } from './register-form.tsx'

/** Indonesian like the sign-in screens (docs/decisions/0002). */
export function SignUpPanel({
  start,
  target,
  onSignedIn,
}: {
  start: 'register' | 'login'
  /** For a link that opens the app anew. */
  target: string
  onSignedIn: () => void
}) {
  const [screen, setScreen] = useState(start)
  const challenge = useAtomValue(challengeAtom)
  const signedIn = useAtomValue(userAtom) !== null
  useEffect(() => {
    showIndonesianOnly(true)
    return () => {
      showIndonesianOnly(false)
      // A returning user has to enter the code again.
      if (store.get(authStatusAtom).status !== 'verify-email') leaveAuthForm()
    }
  }, [])
  const notifySignedIn = useEffectEvent(onSignedIn)
  useEffect(() => {
    if (!signedIn) return
    // If the page is hidden, another tab opened the link and continues.
    if (document.visibilityState === 'visible') takeStoredTarget()
    notifySignedIn()
  }, [signedIn])
  const formProps = {
    state: { from: target },
    onOther() {
      leaveAuthForm()
      setScreen(screen === 'login' ? 'register' : 'login')
    },
  }
  return (
    <div lang="id">
      {challenge ? (
        <CodeForm />
      ) : screen === 'login' ? (
        <LoginForm verified={null} {...formProps} />
      ) : (
        <RegisterForm {...formProps} />
      )}
    </div>
  )
}
