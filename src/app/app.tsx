import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { ConsentQuestion } from './consent-question.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Live } from './live.tsx'
import { OfflineLine } from './offline/offline-line.tsx'
import { Tray } from './offline/tray.tsx'
import { queryClient } from './query.ts'
import { Routes } from './routes.tsx'
import { Shell } from './shell/shell.tsx'
import { ScreenSpinner } from './ui/screen-spinner.tsx'
import { Skeleton } from './ui/skeleton.tsx'

const BalanceChip = lazy(async () => ({
  default: (await import('#features/credits/app/balance-chip.tsx')).BalanceChip,
}))

// What only some moments show comes after the first screen.
const UpdatePrompt = lazy(async () => ({ default: (await import('./offline/update-prompt.tsx')).UpdatePrompt }))
const InstallOffer = lazy(async () => ({ default: (await import('./offline/install-offer.tsx')).InstallOffer }))

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

function Screen() {
  const [path] = useLocation()
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<ScreenSpinner />}>
        <Routes />
      </Suspense>
    </ErrorBoundary>
  )
}

/** Everything that surrounds the screens, put together. */
export function App() {
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Live />
        <Shell
          balance={<Balance />}
          tray={<Tray />}
          offlineLine={<OfflineLine />}
          updatePrompt={<Later of={UpdatePrompt} />}
        >
          <Screen />
        </Shell>
        <Later of={InstallOffer} />
        <ConsentQuestion />
      </QueryClientProvider>
    </I18nProvider>
  )
}
