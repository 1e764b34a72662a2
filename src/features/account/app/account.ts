// What other features' screens may use of accounts.

export { chooseLanguage } from './choose-language.ts'
export { chooseTheme } from './choose-theme.ts'
export { consentsQuery, givenConsent, mayStart } from './consent/consent.ts'
