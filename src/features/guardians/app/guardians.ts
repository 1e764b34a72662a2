export { ageQuery, ensureAllowedAge } from './age.ts'
