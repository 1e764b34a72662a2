import { type InputSpec, onePicture, type Problem } from './tool.ts'

/** Placement of the user's logo; all sizes are shares of the result's shorter side. */
export interface Logo {
  place: 'top-left' | 'top-right' | 'center' | 'bottom-left' | 'bottom-right'
  /** The logo's longer side. */
  size: number
  /** Distance from the edges; ignored in the centre. */
  margin: number
  /** 1 as the picture is, 0 invisible. */
  opacity: number
}

/** Input of the logo picture, which can be replaced for free. */
export const logoInput = { ...onePicture, min: 0 } as const satisfies InputSpec

/** A logo needs its picture. */
export const logoProblems = (logo: Logo | null, given: readonly unknown[]): Problem[] =>
  logo && given.length === 0 ? [{ path: 'logo', code: 'upload.missing' }] : []
