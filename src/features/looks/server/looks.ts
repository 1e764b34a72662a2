import { personalData } from './personal-data.ts'

/** Interface of looks for the server's composition. */
export const looks = { personalData }
