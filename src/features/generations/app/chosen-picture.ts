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

/** Why a file cannot be used; each has a sentence in `labels.ts`. */
export type PictureProblem =
  | 'not_image'
  | 'too_large'
  | 'empty'
  | 'unreadable'
  | 'too_small'
  | 'too_many_pixels'
  | 'not_video'
  | 'video_too_heavy'
  | 'video_too_small'
  | 'video_unreadable'
  | 'video_codec'
  | 'video_too_large'
  | 'video_too_long'
  | 'video_too_fast'
