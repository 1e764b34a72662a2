import { join } from 'node:path'
import sharp from 'sharp'

/** In few pixels, since the cost of most tools grows with them. */
export const smallPortrait = {
  name: 'potret.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp(join(import.meta.dirname, '..', 'fixtures', 'portrait.jpg'))
    .resize(256)
    .jpeg()
    .toBuffer(),
}
