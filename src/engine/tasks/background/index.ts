export { lightSide } from './light-side.ts'
export { readPrompt, scenesFor } from './prompt.ts'
export { noWishes } from './scene.ts'
export { isNear, renderScene } from './scenes.ts'
