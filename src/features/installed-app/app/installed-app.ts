export { ExternalBrowserLink } from './external-browser-link.tsx'
export { externalBrowserNames, inAppAtom, isInstalled, offerInstall } from './install.ts'
