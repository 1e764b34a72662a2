export { LooksButton } from './looks-button.tsx'
