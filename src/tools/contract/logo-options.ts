import type { Logo } from './logo.ts'

export const logoPositions = [
  'top-left',
  'top-right',
  'center',
  'bottom-left',
  'bottom-right',
] as const satisfies Logo['place'][]

export const logoLimits = { size: { min: 0.05, max: 0.8 }, margin: { min: 0, max: 0.2 }, opacity: { min: 0.1, max: 1 } }

export const firstLogo: Logo = { place: 'top-left', size: 0.2, margin: 0.04, opacity: 1 }
