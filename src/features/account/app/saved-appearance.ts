import { apiJson } from '#client/api.ts'
import { hasChosenLanguage, setLanguage } from '#client/i18n.ts'
import { modes, setTheme } from '#client/theme.ts'
import type { Profile } from '../types.ts'
import { neutrals, primaries } from './palette.ts'

/** Ignores values unknown to this version of the app. */
const known = <Id extends string>(choices: readonly { id: Id }[], wanted: string): Id | undefined =>
  choices.find(({ id }) => id === wanted)?.id

/** Keeps a language chosen on this device. */
export async function applySavedAppearance(): Promise<void> {
  try {
    const { theme, language } = await apiJson<Profile>('/api/user/me')
    if (theme) {
      const primary = known(primaries, theme.primary)
      const neutral = known(neutrals, theme.neutral)
      const mode = modes.find((candidate) => candidate === theme.mode)
      setTheme({ ...(mode && { mode }), ...(primary && { primary }), ...(neutral && { neutral }) })
    }
    if (!hasChosenLanguage()) await setLanguage(language)
  } catch {
    // The appearance chosen on this device stays.
  }
}
