import { apiFetch, errorText } from '#client/api.ts'
import { setLanguage } from '#client/i18n.ts'
import { isAuthenticatedAtom, store } from '#client/session.ts'
import { setTheme, themeAtom } from '#client/theme.ts'
import type { Language } from '#shared/language.ts'
import type { Theme } from '#shared/theme.ts'
import { showSnackbar } from '#ui/snackbar.tsx'

export async function chooseLanguage(language: Language): Promise<void> {
  try {
    await setLanguage(language)
  } catch (error) {
    showSnackbar('error', errorText(error))
    return
  }
  if (store.get(isAuthenticatedAtom)) {
    await apiFetch('/api/user/me', { method: 'PATCH', json: { language } }).catch(() => undefined)
  }
}

let saving: ReturnType<typeof setTimeout> | undefined

/** Saves to the account after a pause (debounced); offline, only this device keeps it. */
export function chooseTheme(change: Partial<Theme>): void {
  setTheme(change)
  clearTimeout(saving)
  saving = setTimeout(() => void saveTheme().catch(() => undefined), 600)
}

async function saveTheme(): Promise<void> {
  const { changeProfile } = await import('./profile-api.ts')
  await changeProfile({ theme: store.get(themeAtom) })
}
