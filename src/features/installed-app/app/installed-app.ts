// Interface of the installed app for other features' screens.
export { outsideBrowsers } from './in-app.ts'
export { inAppAtom, isInstalled } from './install.ts'
export { offerInstall } from './offer-install.ts'
export { freeStorage, keepStorage, storageUse } from './storage.ts'
export { WayOutLink } from './way-out-link.tsx'
