export { findTrackedObject } from './track-object.ts'
