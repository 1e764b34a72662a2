import { toolRoutes } from 'virtual:tool-routes'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { useLingui } from '@lingui/react/macro'
import { QueryClientProvider } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Component, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { checkConnection, onlineAtom } from '#client/connection.ts'
import { hasChosenLanguage, languageAtom } from '#client/i18n.ts'
import { lazyComponent, lazyWithTexts } from '#client/lazy.ts'
import { retryUntilLoaded } from '#client/load-code.ts'
import { queryClient } from '#client/query.ts'
import { fileToSaveAtom } from '#client/save-blob.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { questionAtom } from '#features/account/app/consent/consent-question.ts'
import { type ContributedParts, ContributedPartsContext } from '#features/generations/app/contributed-parts.tsx'
import { installSheetAtom } from '#features/installed-app/app/install.ts'
import { removeInstantStage } from '#ui/instant-stage.ts'
import { PageSkeleton, StudioSkeleton } from '#ui/skeleton.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Routes } from './routes.tsx'
import { Shell } from './shell/shell.tsx'

type Again = () => Promise<unknown>

function Failed({ again }: { again: Again | undefined }) {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  const missed = useRef(false)
  useEffect(checkConnection, [])
  useEffect(removeInstantStage, [])
  useEffect(() => {
    let shown = true
    if (again)
      void retryUntilLoaded(again, undefined, () => shown).then(
        () => shown && window.location.reload(),
        () => undefined,
      )
    return () => {
      shown = false
    }
  }, [again])
  // Some browsers do not request a failed module twice; a reload gets everything.
  useEffect(() => {
    if (online && missed.current) window.location.reload()
    missed.current ||= !online
  }, [online])
  return (
    <div role="alert" className="page">
      <EmptyState
        heading="h1"
        title={t`Halaman ini belum bisa dibuka`}
        action={<Button onClick={() => window.location.reload()}>{t`Coba lagi`}</Button>}
      >
        {online
          ? t`Terjadi kesalahan. Pekerjaanmu tetap tersimpan.`
          : t`Kamu sedang offline dan halaman ini belum tersimpan di perangkat.`}
      </EmptyState>
    </div>
  )
}

/** Use the path as key, so that the next page starts afresh. */
class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state: { failed: boolean; again?: Again | undefined } = { failed: false }

  static getDerivedStateFromError(error: { again?: Again } | undefined) {
    return { failed: true, again: error?.again }
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed again={this.state.again} /> : this.props.children
  }
}

const InstallSheet = lazyWithTexts(() => import('#features/installed-app/app/install-sheet.tsx'), 'InstallSheet', null)
const LanguageOffer = lazyComponent(() => import('./shell/notices.tsx'), 'LanguageOffer', null)
const SaveSheet = lazyWithTexts(() => import('#ui/save-sheet.tsx'), 'SaveSheet', null)
const ConsentDialog = lazyWithTexts(
  () => import('#features/account/app/consent/consent-dialog.tsx'),
  'ConsentDialog',
  null,
)

const contributedParts: ContributedParts = {
  ReportSheet: lazyComponent(() => import('#features/content-reports/app/report-sheet.tsx'), 'ReportSheet', null),
  TopUpSheet: lazyWithTexts(() => import('#features/billing/app/top-up-sheet.tsx'), 'TopUpSheet', null),
  ShareLinkSheet: lazyComponent(
    () => import('#features/shared-results/app/share-link-sheet.tsx'),
    'ShareLinkSheet',
    null,
  ),
}

/**
 * Starts the parts that need a signed-in user. A part that is not cached yet waits for the
 * connection.
 */
function useLive() {
  const signedIn = useAtomValue(isAuthenticatedAtom)
  useEffect(() => {
    if (!signedIn) return
    const live = retryUntilLoaded(async () => (await import('./live.ts')).startLive())
    return () => void live.then((stop) => stop())
  }, [signedIn])
}

/**
 * Has a state of its own: rendering the whole app again while a prerendered page is being taken
 * over would do the rest of that work in one piece.
 */
function ForeignBrowserOffer() {
  const [foreign, setForeign] = useState(false)
  useEffect(() => setForeign(!navigator.language.startsWith('id')), [])
  // Signing in sets the language of the account; sign-in screens are Indonesian for everyone.
  const language = useAtomValue(languageAtom)
  return foreign && language === 'id' && !hasChosenLanguage() && <LanguageOffer />
}

/** Calls `onShown` after its siblings are rendered and interactive. */
function Shown({ onShown }: { onShown: () => void }) {
  useEffect(onShown, [onShown])
  return null
}

/** In the shape of the screen where that is known. */
function ScreenPlaceholder({ path }: { path: string }) {
  const search = useSearch()
  const isDetail = /(^|&)(result|id)=/.test(search)
  if (isDetail && (path === '/history' || Object.values(toolRoutes).includes(path as `/${string}`)))
    return <StudioSkeleton />
  if (path === '/history')
    return (
      <PageSkeleton
        className="page grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-4 pt-8 pb-16"
        shapes={['col-span-full h-12 w-48', 'col-span-full h-11', ...Array<string>(8).fill('aspect-square')]}
      />
    )
  // As in index.html.
  return (
    <PageSkeleton
      className="page grid grid-cols-1 gap-4 pt-8 pb-16"
      shapes={['h-12 w-48 max-w-full', 'h-11', 'h-96']}
    />
  )
}

function Screen({ onShown }: { onShown: () => void }) {
  const [path] = useLocation()
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<ScreenPlaceholder path={path} />}>
        <Routes />
        <Shown onShown={onShown} />
      </Suspense>
    </ErrorBoundary>
  )
}

export function App({ onShown }: { onShown: () => void }) {
  useLive()
  const question = useAtomValue(questionAtom)
  const offersInstall = useAtomValue(installSheetAtom)
  const savesFile = useAtomValue(fileToSaveAtom) !== null
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Shell>
          <ContributedPartsContext value={contributedParts}>
            <Screen onShown={onShown} />
          </ContributedPartsContext>
        </Shell>
        {offersInstall && <InstallSheet />}
        {savesFile && <SaveSheet />}
        <ForeignBrowserOffer />
        {question && <ConsentDialog kind={question.kind} service={question.service} />}
      </QueryClientProvider>
    </I18nProvider>
  )
}
