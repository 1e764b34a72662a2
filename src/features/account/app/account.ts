export { chooseLanguage, chooseTheme } from './appearance.ts'
export { consentsQuery, ensureToolConsent, givenConsent, maySend } from './consent/consent.ts'
export { SignUpPanel } from './lazy-sign-up.ts'
