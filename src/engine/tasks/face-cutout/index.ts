export { enoughPixels, headShare } from './head-matte.ts'
export { bordered, sticker, stickerEncoding } from './sticker.ts'
