import { i18n, type Messages } from '@lingui/core'
import { atom } from 'jotai'
import { type Language, languages } from '#shared/language.ts'
import { messages as shellTexts } from '../../locale/id/app.po'
import { store } from './session.ts'
import { localKeys } from './storage.ts'

export const languageAtom = atom<Language>('id')

/**
 * Indonesian shell texts are part of the app, since they are default and fallback; the rest loads
 * on demand.
 */
const parts = {
  shell: {
    id: async () => shellTexts,
    en: async () => (await import('../../locale/en/app.po')).messages,
  },
  tools: {
    id: async () => (await import('../../locale/id/tools.po')).messages,
    en: async () => (await import('../../locale/en/tools.po')).messages,
  },
  pages: {
    id: async () => (await import('../../locale/id/pages.po')).messages,
    en: async () => (await import('../../locale/en/pages.po')).messages,
  },
  admin: {
    id: async () => (await import('../../locale/id/admin.po')).messages,
    en: async () => (await import('../../locale/en/admin.po')).messages,
  },
} satisfies Record<string, Record<Language, () => Promise<Messages>>>

let chosen: Language = 'id'
type Part = keyof typeof parts
const shown = new Map<Part, Promise<void>>([['shell', Promise.resolve()]])
let indonesianOnly = false

/** The build fills missing texts with Indonesian ones (locale/lingui.config.ts). */
async function textsOf(language: Language): Promise<Messages> {
  const found = await Promise.all([...shown.keys()].map((name) => parts[name][language]()))
  return Object.assign({}, ...found)
}

/** Differs from the shown language on Indonesian-only screens. */
export const chosenLanguage = (): Language => chosen

const languageShown = (): Language => (indonesianOnly ? 'id' : chosen)

async function activate(choice: Language): Promise<void> {
  chosen = choice
  const language = languageShown()
  const messages = await textsOf(language)
  if (languageShown() !== language) return
  // Further texts of the same language join in place: activating them would render the whole app
  // again, at once, for screens that do not show any of them yet.
  if (i18n.locale === language) Object.assign(i18n.messages, messages)
  else i18n.loadAndActivate({ locale: language, messages })
  // The same value again would restyle the whole page.
  if (!import.meta.env.SSR && document.documentElement.lang !== language) document.documentElement.lang = language
  store.set(languageAtom, language)
}

/** Sign-in screens and the server's messages on them are Indonesian (docs/decisions/0002). */
export function showIndonesianOnly(only: boolean): void {
  if (only === indonesianOnly) return
  indonesianOnly = only
  // If the catalogue cannot be loaded, the shown language stays.
  void activate(chosen).catch(() => undefined)
}

function load(part: Part): Promise<void> {
  const found = shown.get(part)
  if (found) return found
  const loading = Promise.resolve()
    .then(() => activate(chosen))
    .catch((error: unknown) => {
      shown.delete(part)
      throw error
    })
  shown.set(part, loading)
  return loading
}

/** Names of the tools, their pages until a picture is chosen, the prices, and a member's home. */
export const loadToolTexts = () => load('tools')

/** A page is shown once its texts are there. */
export const loadPageTexts = () => Promise.all([load('tools'), load('pages')])

export const loadAdminTexts = () => load('admin')

function rememberedLanguage(): Language {
  const stored = localStorage.getItem(localKeys.language)
  return languages.find((language) => language === stored) ?? 'id'
}

export function hasChosenLanguage(): boolean {
  return localStorage.getItem(localKeys.language) !== null
}

/** Falls back to Indonesian when the catalogue cannot be loaded. */
export async function startI18n({ indonesian }: { indonesian: boolean }): Promise<void> {
  indonesianOnly = indonesian
  await activate(rememberedLanguage()).catch(() => activate('id'))
}

export async function setLanguage(language: Language): Promise<void> {
  await activate(language)
  localStorage.setItem(localKeys.language, language)
}
