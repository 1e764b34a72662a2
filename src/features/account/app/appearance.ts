import { apiFetch, errorText } from '#client/api.ts'
import { setLanguage } from '#client/i18n.ts'
import { isAuthenticatedAtom, store } from '#client/session.ts'
import { setTheme, type Theme, themeAtom } from '#client/theme.ts'
import type { Language } from '#contract/language.ts'
import { showSnackbar } from '#ui/snackbar.tsx'

/** Changes the interface language, or shows why it failed. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    await setLanguage(language)
  } catch (error) {
    showSnackbar('error', errorText(error))
    return
  }
  // The language of mails follows when possible; the choice itself is made.
  if (store.get(isAuthenticatedAtom)) {
    await apiFetch('/api/user/me', { method: 'PATCH', json: { language } }).catch(() => undefined)
  }
}

let saving: ReturnType<typeof setTimeout> | undefined

/**
 * Changes the appearance on this device at once, and for the account after a moment without
 * changes; offline only this device keeps it.
 */
export function chooseTheme(change: Partial<Theme>): void {
  setTheme(change)
  clearTimeout(saving)
  saving = setTimeout(() => void saveTheme().catch(() => undefined), 600)
}

async function saveTheme(): Promise<void> {
  const { changeProfile } = await import('./profile-api.ts')
  await changeProfile({ theme: store.get(themeAtom) })
}
