import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { lazyWithTexts } from '#client/lazy.ts'
import { queryClient } from '#client/query.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { ConsentPlace } from '#features/account/app/consent/consent-place.tsx'
import { useUploads } from '#features/uploads/app/use-job.ts'
import { ErrorBoundary } from '#ui/error-boundary.tsx'
import { ScreenSpinner } from '#ui/screen-spinner.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Routes } from './routes.tsx'
import { OfflineLine } from './shell/offline-line.tsx'
import { Shell } from './shell/shell.tsx'

const BalanceChip = lazyWithTexts(() => import('#features/credits/app/balance-chip.tsx'), 'BalanceChip')
const UpdatePrompt = lazyWithTexts(() => import('#features/installed-app/app/update-prompt.tsx'), 'UpdatePrompt')
const UploadList = lazyWithTexts(() => import('#features/uploads/app/upload-list.tsx'), 'UploadList')
const InstallOffer = lazyWithTexts(() => import('#features/installed-app/app/install-offer.tsx'), 'InstallOffer')

/** The balance, which visitors have none of; its place is kept while it comes. */
function Balance() {
  return (
    <Suspense fallback={<Skeleton className="h-11 w-24 rounded-full" />}>
      <BalanceChip />
    </Suspense>
  )
}

function Later({ of: Part }: { of: ComponentType }) {
  return (
    <Suspense>
      <Part />
    </Suspense>
  )
}

/** the upload list, from the first upload on. */
function Uploads() {
  const any = useUploads().length > 0
  const [wanted, setWanted] = useState(any)
  if (any && !wanted) setWanted(true)
  return wanted ? <Later of={UploadList} /> : null
}

/**
 * Starts what is only for whoever is signed in, after the first screen; what cannot be loaded
 * (offline, not cached yet) waits for the next start, and polling does until then.
 */
function useLive() {
  const signedIn = useAtomValue(isAuthenticatedAtom)
  useEffect(() => {
    if (!signedIn) return
    const live = import('./live.ts').then(({ startLive }) => startLive()).catch(() => undefined)
    return () => void live.then((stop) => stop?.())
  }, [signedIn])
}

/** Tells that what stands beside it is there, and reacts. */
function Shown({ onShown }: { onShown: () => void }) {
  useEffect(onShown, [onShown])
  return null
}

function Screen({ onShown }: { onShown: () => void }) {
  const [path] = useLocation()
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<ScreenSpinner />}>
        <Routes />
        <Shown onShown={onShown} />
      </Suspense>
    </ErrorBoundary>
  )
}

/** Everything that surrounds the screens, put together; tells when a screen is shown. */
export function App({ onShown }: { onShown: () => void }) {
  useLive()
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Shell
          balance={<Balance />}
          uploadList={<Uploads />}
          offlineLine={<OfflineLine />}
          updatePrompt={<Later of={UpdatePrompt} />}
        >
          <Screen onShown={onShown} />
        </Shell>
        <Later of={InstallOffer} />
        <ConsentPlace />
      </QueryClientProvider>
    </I18nProvider>
  )
}
