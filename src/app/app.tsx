import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { BalanceChip } from '#features/credits/app/balance-chip.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Live } from './live.tsx'
import { InstallOffer } from './offline/install-offer.tsx'
import { OfflineLine } from './offline/offline-line.tsx'
import { Tray } from './offline/tray.tsx'
import { UpdatePrompt } from './offline/update-prompt.tsx'
import { queryClient } from './query.ts'
import { Routes } from './routes.tsx'
import { Shell } from './shell/shell.tsx'
import { ScreenSpinner } from './ui/screen-spinner.tsx'

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
        <Shell balance={<BalanceChip />} tray={<Tray />} offlineLine={<OfflineLine />} updatePrompt={<UpdatePrompt />}>
          <Screen />
        </Shell>
        <InstallOffer />
      </QueryClientProvider>
    </I18nProvider>
  )
}
