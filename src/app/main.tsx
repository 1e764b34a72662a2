// First, for it says which layer of styles stands above which.
import './styles.css'

import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { startI18n } from '#client/i18n.ts'
import { restoreSession } from '#client/session.ts'
import { startTheme } from '#client/theme.ts'
import { findPage, pageDetails } from '#contract/pages.ts'
import { App } from './app.tsx'
import { rememberEarlyInput } from './early-input.ts'
import { loadScreen } from './routes.tsx'
import { startOffline, startServiceWorker } from './start.ts'

async function start(root: HTMLElement): Promise<void> {
  restoreSession()
  startOffline()
  startTheme()
  const address = window.location.pathname
  const page = findPage(address)
  // What was drawn into the page is for visitors who read Indonesian; public/theme.js knows others.
  const prerendered = 'prerendered' in root.dataset && !('known' in document.documentElement.dataset)
  const screen = loadScreen(address)
  const texts = startI18n({ indonesian: page !== undefined && pageDetails(page).frame === 'bare' })
  // The screen and the language come at the same time.
  await Promise.all([texts, prerendered && screen])
  const repeat = prerendered && rememberEarlyInput(root)
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? ''
  }
  let first = true
  const shown = () => {
    if (!first) return
    first = false
    delete root.dataset.prerendered
    if (repeat) repeat()
    startServiceWorker()
  }
  const app = <App onShown={shown} />
  // In slices, so that a slow phone reacts to a finger meanwhile.
  startTransition(() => void (prerendered ? hydrateRoot(root, app) : createRoot(root).render(app)))
}

const root = document.getElementById('root')
if (root) void start(root)
