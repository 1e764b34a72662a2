import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { languageAtom } from '#client/i18n.ts'
import { type Language, languageNames } from '#shared/language.ts'

export function LanguageSwitch({ onChoose }: { onChoose: (language: Language) => Promise<void> }) {
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
      onClick={() => void onChoose(other)}
    >
      {code}
    </button>
  )
}
