// What other features' screens may use of the installed app.
export { isInstalled, offerInstall } from './install.ts'
export { freeStorage, keepStorage, storageUse } from './storage.ts'
