export { lightDirection } from './light-side.ts'
export { readPrompt, scenesFor } from './prompt.ts'
export { neutralWishes } from './scene.ts'
export { isNearBackground, renderScene } from './scenes.ts'
