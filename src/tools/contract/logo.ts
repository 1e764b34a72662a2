import { type InputSpec, onePicture, type Problem } from './tool.ts'

/** How a person's logo lies on a result; all sizes are shares of the result's shorter side. */
export interface Logo {
  place: 'top-left' | 'top-right' | 'center' | 'bottom-left' | 'bottom-right'
  /** The logo's longer side. */
  size: number
  /** From the edges; nothing in the middle. */
  margin: number
  /** 1 as the picture is, 0 not to be seen. */
  opacity: number
}

/** The input for its picture, which can be given anew for free. */
export const logoInput = { ...onePicture, min: 0 } as const satisfies InputSpec

/** A logo that is wanted needs its picture. */
export const logoProblems = (logo: Logo | null, given: readonly unknown[]): Problem[] =>
  logo && given.length === 0 ? [{ path: 'logo', code: 'upload.missing' }] : []
