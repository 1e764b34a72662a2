import { atom } from 'jotai'
import { type Theme, themeModes } from '#shared/theme.ts'
import { store } from './session.ts'
import { localKeys } from './storage.ts'

const darkQuery = '(prefers-color-scheme: dark)'

/** public/theme.js reads the same keys before the first paint. */
function stored(): Theme {
  const mode = localStorage.getItem(localKeys.themeMode)
  return {
    mode: themeModes.find((candidate) => candidate === mode) ?? 'auto',
    primary: localStorage.getItem(localKeys.themePrimary) ?? 'terakota',
    neutral: localStorage.getItem(localKeys.themeNeutral) ?? 'pasir',
  }
}

export const themeAtom = atom<Theme>({ mode: 'auto', primary: 'terakota', neutral: 'pasir' })

function apply({ mode, primary, neutral }: Theme): void {
  const dark = mode === 'dark' || (mode === 'auto' && matchMedia(darkQuery).matches)
  const root = document.documentElement
  root.dataset.theme = dark ? 'dark' : 'light'
  root.dataset.primary = primary
  root.dataset.neutral = neutral
  const color = getComputedStyle(root).getPropertyValue('--color-base-200').trim()
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', color)
}

export function startTheme(): void {
  store.set(themeAtom, stored())
  apply(store.get(themeAtom))
  matchMedia(darkQuery).addEventListener('change', () => apply(store.get(themeAtom)))
}

export function setTheme(change: Partial<Theme>): void {
  const theme = { ...store.get(themeAtom), ...change }
  store.set(themeAtom, theme)
  localStorage.setItem(localKeys.themeMode, theme.mode)
  localStorage.setItem(localKeys.themePrimary, theme.primary)
  localStorage.setItem(localKeys.themeNeutral, theme.neutral)
  apply(theme)
}
