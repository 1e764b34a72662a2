import { createRoot, type Root } from 'react-dom/client'
import { onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { App } from '#app/app.tsx'
import { detailsOf, findPage } from '#app/pages.ts'
import { loadScreen } from '#app/routes.tsx'
import { restoreClock } from '#client/device/server-time.ts'
import { startI18n } from '#client/i18n.ts'
import { queryClient } from '#client/query.ts'
import { restoreSession, signIn, signOut } from '#client/session.ts'
import { startTheme } from '#client/theme.ts'
import type { AuthUser } from '#shared/session.ts'
import { GenerationServer } from './generation-server.ts'
import { tokenOf, usualRoutes } from './samples.ts'
import { type Routes, type StubbedApi, stubApi } from './stub-api.ts'

export const phone = [390, 844] as const
export const desktop = [1440, 900] as const

interface Opening {
  /** Signed in; a visitor unless given. */
  user?: AuthUser
  credits?: number
  language?: 'id' | 'en'
  size?: readonly [number, number]
  /** Answers that differ from the usual ones. */
  api?: Routes
}

export interface OpenedApp {
  api: StubbedApi
  /** Messages shown so far; each is visible for seconds only, which a busy machine may miss. */
  messages(): string[]
  /**
   * Renders the app anew with an empty query cache, above what the device stores. Modules keep
   * their memory, so a rule about what a real reload loses or keeps needs a journey.
   */
  reload(path?: string): Promise<void>
  /** The same, and the session is read again from the device. */
  restart(path: string): Promise<void>
}

function recordMessages(): { said: string[]; stop: () => void } {
  const said: string[] = []
  // A message of the test before may still be shown.
  let last = document.querySelector('.toast > .alert') ?? undefined
  const observer = new MutationObserver(() => {
    const shown = document.querySelector('.toast > .alert') ?? undefined
    if (shown !== last && shown) said.push(shown.textContent)
    last = shown
  })
  observer.observe(document, { childList: true, subtree: true })
  return { said, stop: () => observer.disconnect() }
}

/** Navigates like a link in the app. */
export const navigateInApp = (path: string) => history.pushState(null, '', path)

/** Path and query of the current page. */
export const address = () => location.pathname + location.search

async function render(path: string): Promise<() => void> {
  history.replaceState(null, '', path)
  const { pathname } = location
  const known = findPage(pathname)
  await startI18n({ indonesian: known !== undefined && detailsOf(known).frame === 'bare' })
  startTheme()
  await loadScreen(pathname)
  const container = document.createElement('div')
  container.id = 'root'
  document.body.append(container)
  const root: Root = createRoot(container)
  await new Promise<void>((shown) => root.render(<App onShown={shown} />))
  return () => {
    root.unmount()
    container.remove()
  }
}

/**
 * Opens the whole app at an address, with its real styles, texts and stores, above a stubbed API.
 * Everything is removed when the test ends.
 */
export async function openApp(
  path: string,
  { user, credits = 25, language = 'id', size = phone, api: own }: Opening = {},
): Promise<OpenedApp> {
  // A chosen file may be uploaded before anything is started, for its free check.
  const { routes: files } = new GenerationServer()
  const uploads = Object.fromEntries(Object.entries(files).filter(([route]) => route.includes('/api/uploads')))
  const api = stubApi({ ...uploads, ...usualRoutes(user ?? null, credits), ...own })
  await page.viewport(...size)
  localStorage.setItem('language', language)
  if (user) await signIn(tokenOf(user))
  let close = await render(path)
  const { said, stop } = recordMessages()
  onTestFinished(async () => {
    stop()
    close()
    // A query that is still reading the device would ask the next test's API.
    await queryClient.cancelQueries()
    await signOut()
    api.close()
    restoreClock(null)
    queryClient.clear()
    localStorage.clear()
    sessionStorage.clear()
  })
  const reload = async (to = address()) => {
    close()
    queryClient.clear()
    close = await render(to)
  }
  return {
    api,
    messages: () => said,
    reload,
    async restart(to) {
      restoreSession()
      await reload(to)
    },
  }
}
