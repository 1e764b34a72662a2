export { eyesOf } from './eyes.ts'
export { stylize } from './stylize.ts'
export { smoothstep } from './tone.ts'
