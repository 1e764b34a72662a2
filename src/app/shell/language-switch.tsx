import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import type { Language } from '#contract/language.ts'
import { apiFetch } from '../api.ts'
import { errorText } from '../errors.ts'
import { languageAtom, setLanguage } from '../i18n.ts'
import { isAuthenticatedAtom, store } from '../session.ts'
import { showSnackbar } from '../snackbar.tsx'

/** Languages under their own names, which are never translated. */
export const languageNames: Record<Language, string> = { id: 'Bahasa Indonesia', en: 'English' }

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

/** A button to the other language. */
export function LanguageSwitch() {
  const { t } = useLingui()
  const language = useAtomValue(languageAtom)
  const other: Language = language === 'id' ? 'en' : 'id'
  const name = languageNames[other]
  const code = other.toUpperCase()
  return (
    <button
      type="button"
      className="btn btn-ghost min-w-11 px-3 text-muted"
      aria-label={t`${code}, ganti bahasa ke ${name}`}
      lang={other}
      onClick={() => void chooseLanguage(other)}
    >
      {code}
    </button>
  )
}
