import { personalData } from './personal-data.ts'

/** What the server as a whole does with people's looks. */
export const looks = { personalData }
