import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { languageAtom } from '#client/i18n.ts'
import { type Language, languageNames } from '#shared/language.ts'

/**
 * A link to the page in the other language, which also works before the app's code has loaded
 * (public/early.js).
 */
export function LanguageSwitch({
  onChoose,
  long = false,
}: {
  onChoose: (language: Language) => Promise<void>
  /** Shows the language's name instead of its code. */
  long?: boolean
}) {
  const { t } = useLingui()
  const language = useAtomValue(languageAtom)
  const other: Language = language === 'id' ? 'en' : 'id'
  const name = languageNames[other]
  const code = other.toUpperCase()
  return (
    <a
      href={`?lang=${other}`}
      hrefLang={other}
      lang={other}
      className={`btn ${long ? 'btn-outline border-line' : 'btn-ghost min-w-11 px-3 text-muted'}`}
      aria-label={long ? undefined : t`${code}, ganti bahasa ke ${name}`}
      onClick={(event) => {
        event.preventDefault()
        void onChoose(other)
      }}
    >
      {long ? name : code}
    </a>
  )
}
