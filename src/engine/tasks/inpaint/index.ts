export { inpaint } from './inpaint.ts'
