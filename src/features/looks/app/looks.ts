// Interface of looks for other features' screens.
export { LooksButton } from './looks-button.tsx'
