// First, for it says which layer of styles stands above which.
import './styles.css'

import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { startI18n } from './i18n.ts'
import { startOffline } from './offline/start.ts'
import { loadScreen } from './routes.tsx'
import { restoreSession } from './session.ts'
import { startTheme } from './theme/theme.ts'

restoreSession()
startOffline()
startTheme()
// The screen and the language come at the same time.
void loadScreen(window.location.pathname)
await startI18n()

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
