import type { Size } from '#ui/geometry.ts'

/**
 * A picture or video somebody chose; width and height are upright, and null where the browser
 * cannot decode the format.
 */
export interface ChosenPicture {
  id: string
  name: string
  /** What was chosen, untouched. */
  original: Blob
  size: Size | null
  /** Length of a video; absent for pictures. */
  seconds?: number
  /** Id of the own earlier output that it is: the server has it already. */
  output?: string
}
