export { enoughPixels, headMatte, headPartsFromLabels } from './head-matte.ts'
export { addBorder, sticker, stickerEncoding } from './sticker.ts'
