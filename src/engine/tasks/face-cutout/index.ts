export { headMatte, headPartsFromLabels, sufficientFaceSize } from './head-matte.ts'
export { addBorder, createSticker, stickerEncoding } from './sticker.ts'
