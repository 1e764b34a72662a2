import { i18n } from '@lingui/core'
import { atom } from 'jotai'
import { type Language, languages } from '#contract/language.ts'
import { messages as indonesian } from '../../locale/id/app.po'
import { store } from './session.ts'

const languageKey = 'language'

/** The language of the interface; change it with setLanguage. */
export const languageAtom = atom<Language>('id')

/** Indonesian is part of the app, for it is the default and the fallback; the others come when they are chosen. */
const catalogues = {
  id: async () => indonesian,
  en: async () => (await import('../../locale/en/app.po')).messages,
} satisfies Record<Language, () => Promise<typeof indonesian>>

async function activate(language: Language): Promise<void> {
  i18n.loadAndActivate({ locale: language, messages: { ...indonesian, ...(await catalogues[language]()) } })
  document.documentElement.lang = language
  store.set(languageAtom, language)
}

/** The language remembered on this device, or Indonesian. */
export function rememberedLanguage(): Language {
  const stored = localStorage.getItem(languageKey)
  return languages.find((language) => language === stored) ?? 'id'
}

/** Starts with the remembered language; a catalogue that cannot be loaded (offline) leaves Indonesian. */
export async function startI18n(): Promise<void> {
  await activate(rememberedLanguage()).catch(() => activate('id'))
}

/** Switches the interface and remembers the choice on this device. */
export async function setLanguage(language: Language): Promise<void> {
  await activate(language)
  localStorage.setItem(languageKey, language)
}
