import type { Page } from '@playwright/test'

interface Appearance {
  theme: 'light' | 'dark'
  language: 'id' | 'en'
}

/** Every appearance in which screens must have no accessibility violations. */
export const appearances: Appearance[] = [
  { theme: 'light', language: 'id' },
  { theme: 'light', language: 'en' },
  { theme: 'dark', language: 'id' },
  { theme: 'dark', language: 'en' },
]

/** The page has this appearance from the next time on that it is opened. */
export async function chooseAppearance(page: Page, appearance: Appearance): Promise<void> {
  await page.addInitScript(({ theme, language }) => {
    localStorage.setItem('themeMode', theme)
    localStorage.setItem('language', language)
  }, appearance)
}
