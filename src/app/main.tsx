// Imported first, because it fixes the order of the style layers.
import './styles.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { reportError, reportUncaught } from '#client/device/report-error.ts'
import { startI18n } from '#client/i18n.ts'
import { restoreSession } from '#client/session.ts'
import { startTheme } from '#client/theme.ts'
import { App } from './app.tsx'
import { detailsOf, findPage } from './pages.ts'
import { loadScreen } from './routes.tsx'
import { startLater, startOffline } from './start.ts'

declare global {
  interface Window {
    releaseEarlyButton?: () => HTMLButtonElement | null | undefined
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * Sets the value through the prototype: React does not notice changes made by its own property
 * setter, nor a value that a field had when it was taken over.
 */
function enter(field: Field, value: string): void {
  field.value = field.defaultValue
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Records input on the prerendered page before React is ready; returns a function that replays it.
 */
function rememberEarlyInput(root: HTMLElement): () => void {
  const fields = [...root.querySelectorAll<Field>('input, textarea')]
  const texts = fields.filter((field) => !/^(file|checkbox|radio)$/.test(field.type))
  const typed = texts.flatMap((field) => (field.value !== field.defaultValue ? [{ field, value: field.value }] : []))
  const boxes = [...root.querySelectorAll<HTMLInputElement>('input[type="checkbox"], input:checked')]
  const ticked = boxes.flatMap((field) =>
    field.checked !== field.defaultChecked ? [{ field, checked: field.checked }] : [],
  )
  return () => {
    for (const { field, checked } of ticked) {
      // React notices only a change that happens after it took the field over.
      field.checked = !checked
      field.click()
    }
    for (const { field, value } of typed) enter(field, value)
    for (const field of root.querySelectorAll<HTMLInputElement>('input[type="file"]')) {
      if (field.files?.length) field.dispatchEvent(new Event('change', { bubbles: true }))
    }
    const button = window.releaseEarlyButton?.()
    if (button?.isConnected) button.click()
  }
}

async function start(root: HTMLElement): Promise<void> {
  reportUncaught('page', window)
  restoreSession()
  startOffline()
  startTheme()
  const address = window.location.pathname
  const page = findPage(address)
  // The prerendered page is for visitors who read its language; public/theme.js recognizes all
  // others.
  const prerendered = 'prerendered' in root.dataset && !('known' in document.documentElement.dataset)
  // Before the screen adds its texts, for which the shell need not wait.
  const texts = startI18n({ indonesian: page !== undefined && detailsOf(page).frame === 'bare' })
  const screen = loadScreen(address)
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
    startLater()
  }
  const app = <App onShown={shown} />
  // Renders in slices so that a slow phone reacts to touch. The error boundary would swallow the
  // error.
  const onCaughtError = (error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: React does so by itself where nothing is given.
    console.error(error)
    reportError('page', error)
  }
  const options = { onCaughtError }
  startTransition(() => void (prerendered ? hydrateRoot(root, app, options) : createRoot(root, options).render(app)))
}

const root = document.getElementById('root')
// In a task of its own: on a slow phone evaluating the modules already takes long.
if (root) setTimeout(() => void start(root))
