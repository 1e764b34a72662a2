import { store } from '#client/session.ts'
import { setTheme, type Theme, themeAtom } from '#client/theme.ts'

/** Changes the appearance on this device at once, and for the account a moment later. */
export async function chooseTheme(change: Partial<Theme>): Promise<void> {
  setTheme(change)
  const { keepTheme } = await import('./profile-api.ts')
  keepTheme(store.get(themeAtom))
}
