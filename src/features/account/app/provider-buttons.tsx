import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Link } from 'wouter'
import { ExternalBrowserLink, externalBrowserNames, inAppAtom } from '#features/installed-app/app/installed-app.ts'
import { Button } from '#ui/button.tsx'
import { type Provider, providerNames } from '../rules.ts'
import { loginWithToken, providersQuery, showFailure } from './api.ts'
import type { AuthFormLocation } from './auth-form.tsx'
import { callbackProblem, openProvider, useProviderMessages } from './provider-window.ts'
import { storeTarget, targetOf } from './redirect-target.ts'

/**
 * In a sheet they stand above the form, which waits for them; on a page below it, without waiting,
 * so that the layout does not shift.
 */
export function ProviderButtons({
  verb,
  remember = true,
  state,
  onOther,
}: AuthFormLocation & {
  verb: 'Masuk' | 'Daftar'
  /** True for a session of 30 days. */
  remember?: boolean
}) {
  const { data: configured } = useQuery(providersQuery)
  useProviderMessages((message) => {
    // The screen continues by itself once the user is signed in.
    if (message.type === 'auth-token') {
      void loginWithToken(message.token, remember).catch(() => undefined)
    }
    if (message.type === 'auth-error') showFailure(callbackProblem(message.code))
  })

  const inApp = useAtomValue(inAppAtom)
  // Google refuses sign-in inside in-app browsers.
  const refuses = (provider: Provider) => provider === 'google' && inApp !== null
  const offered = (Object.keys(providerNames) as Provider[]).filter(
    (provider) => configured?.[provider] && !refuses(provider),
  )
  if (offered.length === 0 && !inApp) return null
  return (
    <div className="grid grid-cols-1 gap-3">
      {!onOther && <Divider>atau</Divider>}
      {inApp && (
        <>
          <p className="text-muted text-sm leading-relaxed">
            Di {externalBrowserNames[inApp]} hasilnya lebih mudah diunduh.
            {configured?.google && ' Masuk dengan Google juga bisa di sana.'}
            {onOther && ' Pilihanmu ikut; fotonya pilih lagi di sana.'}
          </p>
          <ExternalBrowserLink system={inApp} variant="outline" />
        </>
      )}
      {offered.map((provider) => (
        <Button
          key={provider}
          variant="outline"
          size="lg"
          className="w-full bg-base-100 px-3"
          onClick={() => openProvider(provider, { remember: remember ? '1' : '0' }, () => storeTarget(targetOf(state)))}
        >
          <ProviderMark provider={provider} /> {`${verb} dengan ${providerNames[provider]}`}
        </Button>
      ))}
      {offered.length > 0 && (
        <p className="text-center text-muted text-sm leading-relaxed">
          Dengan melanjutkan lewat {offered.map((provider) => providerNames[provider]).join(' atau ')}, kamu menyetujui{' '}
          <TermsLinks newTab={onOther !== undefined} />.
        </p>
      )}
      {onOther && <Divider>atau dengan email</Divider>}
    </div>
  )
}

export function TermsLinks({ newTab }: { newTab: boolean }) {
  const link = (to: string, name: string) => {
    const className = 'whitespace-nowrap font-semibold text-primary-ink underline'
    return newTab ? (
      <a href={to} target="_blank" rel="noreferrer" className={className}>
        {name}
      </a>
    ) : (
      <Link to={to} className={className}>
        {name}
      </Link>
    )
  }
  return (
    <>
      {link('/terms-of-service', 'Syarat Layanan')} dan {link('/privacy-policy', 'Kebijakan Privasi')}
    </>
  )
}

function Divider({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </p>
  )
}

/** The provider's initial, since logos are trademarks. */
export function ProviderMark({ provider }: { provider: Provider }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-6 place-items-center rounded-full bg-base-content font-bold text-base-100 text-sm"
    >
      {provider === 'google' ? 'G' : 'f'}
    </span>
  )
}
