import type { Style } from './style.ts'
import { anime } from './styles/anime.ts'
import { comic } from './styles/comic.ts'
import { ink, pencil } from './styles/hatching.ts'
import { pixel } from './styles/pixel.ts'
import { popArt } from './styles/pop-art.ts'
import { poster } from './styles/poster.ts'
import { watercolour } from './styles/watercolour.ts'

/** Every style by its name. */
export const styles = {
  comic,
  anime,
  ink,
  watercolour,
  'pop-art': popArt,
  pencil,
  poster,
  pixel,
} as const satisfies Record<string, Style>

export type StyleName = keyof typeof styles
