import Bowser from 'bowser'

/** Such as `Chrome, Android`; null if the User-Agent names neither. */
export function deviceName(userAgent: string | null): string | null {
  if (!userAgent) return null
  const { browser, os } = Bowser.parse(userAgent)
  return [browser.name, os.name].filter(Boolean).join(', ') || null
}
