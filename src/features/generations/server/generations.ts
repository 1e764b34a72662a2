import { workGenerations } from './work-generations.ts'

/** What other features and the server may do with generations. */
export const generations = { work: workGenerations }
