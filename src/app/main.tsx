// First, for it says which layer of styles stands above which.
import './styles.css'

import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '#client/i18n.ts'
import { restoreSession } from '#client/session.ts'
import { startTheme } from '#client/theme.ts'
import { findPage, pageDetails } from '#contract/pages.ts'
import { App } from './app.tsx'
import { loadScreen } from './routes.tsx'
import { startOffline } from './start.ts'

restoreSession()
startOffline()
startTheme()
const root = document.getElementById('root')
// The screen and the language come at the same time; a prerendered screen stays until the living
// one can take its place.
const screen = loadScreen(window.location.pathname)
const page = findPage(window.location.pathname)
const indonesian = page !== undefined && pageDetails(page).frame === 'bare'
await Promise.all([startI18n({ indonesian }), root?.hasChildNodes() && screen])
// In slices, so that a slow phone reacts to a finger meanwhile.
if (root) startTransition(() => createRoot(root).render(<App />))
