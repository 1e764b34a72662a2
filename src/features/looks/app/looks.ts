// What other features' screens may use of looks.
export { LooksButton } from './looks-button.tsx'
