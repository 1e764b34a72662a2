export { chooseLanguage, chooseTheme } from './appearance.ts'
export { consentsQuery, givenConsent, maySend, mayStart } from './consent/consent.ts'
export { SignUpPanel } from './late-sign-up.ts'
