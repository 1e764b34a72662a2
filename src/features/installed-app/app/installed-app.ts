// What other features' screens may use of the installed app.
export { isInstalled } from './install.ts'
export { offerInstall } from './offer-install.ts'
export { freeStorage, keepStorage, storageUse } from './storage.ts'
