export { enoughPixels, headShare, knownParts } from './head-matte.ts'
export { bordered, sticker, stickerEncoding } from './sticker.ts'
