export { enoughPixels, headShare } from './head-matte.ts'
export { knownParts } from './known-parts.ts'
export { bordered, sticker, stickerEncoding } from './sticker.ts'
