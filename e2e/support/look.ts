import type { Page } from '@playwright/test'

interface Look {
  theme: 'light' | 'dark'
  language: 'id' | 'en'
}

/** Every look that has to be free of barriers. */
export const looks: Look[] = [
  { theme: 'light', language: 'id' },
  { theme: 'light', language: 'en' },
  { theme: 'dark', language: 'id' },
  { theme: 'dark', language: 'en' },
]

/** The page looks so from the next time on that it is opened. */
export async function chooseLook(page: Page, look: Look): Promise<void> {
  await page.addInitScript(({ theme, language }) => {
    localStorage.setItem('themeMode', theme)
    localStorage.setItem('language', language)
  }, look)
}
