export { findThing } from './follow-thing.ts'
