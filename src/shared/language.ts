/** The first is the default and the fallback. */
export const languages = ['id', 'en'] as const

/** BCP 47 primary subtag. */
export type Language = (typeof languages)[number]

/** Names of the languages in themselves, never translated. */
export const languageNames: Record<Language, string> = { id: 'Bahasa Indonesia', en: 'English' }

/**
 * The supported language of highest weight in Accept-Language (RFC 9110 §12.5.4), else Indonesian.
 */
export function negotiateLanguage(header: string | null | undefined): Language {
  let best: { language: Language; weight: number } | undefined
  for (const part of (header ?? '').slice(0, 200).split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const language = languages.find((candidate) => tag === candidate || tag.startsWith(`${candidate}-`))
    if (!language) continue
    const q = parameters.map((parameter) => /^\s*q=([0-9.]+)$/.exec(parameter)?.[1]).find(Boolean)
    const weight = q === undefined ? 1 : Number(q)
    if (weight > 0 && (!best || weight > best.weight)) best = { language, weight }
  }
  return best?.language ?? 'id'
}
