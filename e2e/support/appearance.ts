import type { Page } from '@playwright/test'

interface Appearance {
  theme: 'light' | 'dark'
  language: 'id' | 'en'
}

export async function chooseAppearance(page: Page, appearance: Appearance): Promise<void> {
  await page.addInitScript(({ theme, language }) => {
    localStorage.setItem('themeMode', theme)
    localStorage.setItem('language', language)
  }, appearance)
}
