import { type InputSpec, onePicture, type Problem } from './tool.ts'

/** Sizes are shares of the result's shorter side. */
export interface Logo {
  place: 'top-left' | 'top-right' | 'center' | 'bottom-left' | 'bottom-right'
  size: number
  /** Distance from the edges; ignored in the centre. */
  margin: number
  /** 0 invisible to 1 opaque. */
  opacity: number
}

export const logoInput = { ...onePicture, min: 0 } as const satisfies InputSpec

export const logoProblems = (logo: Logo | null, given: readonly unknown[]): Problem[] =>
  logo && given.length === 0 ? [{ path: 'logo', code: 'upload.missing' }] : []

export const logoPositions = [
  'top-left',
  'top-right',
  'center',
  'bottom-left',
  'bottom-right',
] as const satisfies Logo['place'][]

export const logoLimits = { size: { min: 0.05, max: 0.8 }, margin: { min: 0, max: 0.2 }, opacity: { min: 0.1, max: 1 } }

export const firstLogo: Logo = { place: 'top-left', size: 0.2, margin: 0.04, opacity: 1 }
