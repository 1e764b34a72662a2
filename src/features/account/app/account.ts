import { lazyWithTexts } from '#client/lazy.ts'

export const SignUpPanel = lazyWithTexts(async () => {
  const [panel, { loadProviders }] = await Promise.all([import('./sign-up-panel.tsx'), import('./api.ts')])
  await loadProviders()
  return panel
}, 'SignUpPanel')

export { chooseLanguage, chooseTheme } from './appearance.ts'
export { consentsQuery, ensureToolConsent, givenConsent, maySend } from './consent/consent.ts'
