// What other features' screens may use of accounts.
import { lazyWithTexts } from '#client/lazy.ts'
import { loadProviders } from './api.ts'

export { chooseLanguage, chooseTheme } from './appearance.ts'
export { consentsQuery, givenConsent, mayStart } from './consent/consent.ts'
export { loadProviders }

/** The forms for signing up and in, for the sheet of another screen. */
export const SignUpPanel = lazyWithTexts(async () => {
  const [panel] = await Promise.all([import('./sign-up-panel.tsx'), loadProviders()])
  return panel
}, 'SignUpPanel')
