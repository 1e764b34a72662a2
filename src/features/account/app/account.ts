import { lazyComponent, lazyWithTexts } from '#client/lazy.ts'

export const SignUpPanel = lazyWithTexts(async () => {
  const [panel, { loadProviders }] = await Promise.all([import('./sign-up-panel.tsx'), import('./api.ts')])
  await loadProviders()
  return panel
}, 'SignUpPanel')

export const ReauthenticationForm = lazyComponent(
  () => import('./reauthentication/reauthentication-form.tsx'),
  'ReauthenticationForm',
  null,
)

export { chooseLanguage, chooseTheme } from './appearance.ts'
export { consentsQuery, ensureToolConsent, givenConsent, maySend } from './consent/consent.ts'
