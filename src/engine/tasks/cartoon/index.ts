export { eyesOf } from './eyes.ts'
export { stylize } from './stylize.ts'
