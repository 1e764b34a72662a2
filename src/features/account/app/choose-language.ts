import { apiFetch } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { setLanguage } from '#client/i18n.ts'
import { isAuthenticatedAtom, store } from '#client/session.ts'
import type { Language } from '#contract/language.ts'
import { showSnackbar } from '#ui/snackbar.tsx'

/** Changes the language of the interface, or says why it cannot. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    await setLanguage(language)
  } catch (error) {
    showSnackbar('error', errorText(error))
    return
  }
  // Mails follow when they can; the choice itself is made.
  if (store.get(isAuthenticatedAtom)) {
    await apiFetch('/api/user/me', { method: 'PATCH', json: { language } }).catch(() => undefined)
  }
}
