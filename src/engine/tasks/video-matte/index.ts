export { findTrackedObject } from './video-matte.ts'
