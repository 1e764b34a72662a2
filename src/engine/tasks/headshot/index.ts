export { drawBackdrop, renderBackdrop } from './backdrop.ts'
export { frameHead } from './frame.ts'
export { renderGroup, renderPortrait } from './portrait.ts'
export { type HeadView, headView, rotateToUpright } from './view.ts'
