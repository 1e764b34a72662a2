export { enoughPixels, headShare } from './head-matte.ts'
export { bordered, sticker } from './sticker.ts'
